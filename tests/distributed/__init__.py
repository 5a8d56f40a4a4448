"""Past one machine. Without Dask there is nothing to test."""

import pytest

pytest.importorskip("distributed", reason='Dask is not here: pip install "textclust[distributed]"')
