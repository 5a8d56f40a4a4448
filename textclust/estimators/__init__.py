"""The methods as scikit-learn knows estimators."""
