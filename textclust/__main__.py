"""`python -m textclust` is the command textclust."""

from textclust.cli.entry import main

if __name__ == "__main__":
    main()
