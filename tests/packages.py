"""Check what `make dist` built: python -m tests.packages dist.

Both packages hold what is tracked in the package's folders and nothing else. The wheel is installed
into a new environment, where nothing is compiled, and README's commands are run from it in an empty
folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from tests.blocks import BLOCK, sessions, shows

__all__ = ["differences", "expected_in_sdist", "expected_in_wheel"]

ROOT = Path(__file__).resolve().parents[1]
# Where the package's folders are installed.
FOLDERS = {"textclust/": "textclust/", "cli/": "textclust/cli/", "corpora/": "textclust/corpora/"}
SOURCES_OF_THE_CORE = (".pyx", ".h")
BESIDE_THE_CODE = {
    *("CHANGELOG.md", "CITATION.cff", "LICENSE", "MANIFEST.in", "README.md"),
    *("pyproject.toml", "setup.py"),
}
OF_THE_WHEEL = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt"}
OF_THE_SDIST = {"dependency_links.txt", "PKG-INFO", "SOURCES.txt", "entry_points.txt"}
OF_THE_SDIST |= {"requires.txt", "top_level.txt"}


def expected_in_wheel(tracked):
    """The files of the wheel without the version in their names; compiled modules end in .*."""
    found = {
        place + name.removeprefix(folder)
        for folder, place in FOLDERS.items()
        for name in tracked
        if name.startswith(folder) and not name.endswith(SOURCES_OF_THE_CORE)
    }
    core = {name.removesuffix(".pyx") + ".*" for name in tracked if name.endswith(".pyx")}
    about = {f"textclust.dist-info/{name}" for name in OF_THE_WHEEL}
    return found | core | about | {"textclust.dist-info/licenses/LICENSE"}


def expected_in_sdist(tracked):
    """The files of the sdist, below its one folder."""
    found = {name for name in tracked if name.startswith(tuple(FOLDERS))}
    about = {f"textclust.egg-info/{name}" for name in OF_THE_SDIST}
    return found | about | BESIDE_THE_CODE | {"PKG-INFO", "setup.cfg"}


def differences(found, expected):
    """What is missing, and what should not be there."""
    missing = [f"missing: {name}" for name in sorted(expected - found)]
    return missing + [f"should not be there: {name}" for name in sorted(found - expected)]


def in_wheel(wheel):
    """The names of its files, as `expected_in_wheel` has them."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    names = {re.sub(r"^textclust-[^/]+\.dist-info/", "textclust.dist-info/", n) for n in names}
    return {re.sub(r"\.[\w-]+\.(so|pyd)$|\.pyd$", ".*", name) for name in names}


def in_sdist(sdist):
    """The names of its files, below its one folder."""
    with tarfile.open(sdist) as archive:
        names = [member.name for member in archive.getmembers() if member.isfile()]
    return {name.partition("/")[2] for name in names}


def tracked_files():
    """What git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return set(listed.stdout.decode().split("\0")) - {""}


def install(wheel, place):
    """A new environment with the wheel, and wheels alone: nothing is compiled."""
    venv.create(place, with_pip=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--only-binary", ":all:", str(wheel)], check=True, cwd=place)


def run(command, environment, place):
    """What a command of the new environment prints."""
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables |= {"PATH": f"{environment / 'bin'}:/usr/bin:/bin", "COLUMNS": "80"}
    done = subprocess.run(
        command, shell=True, cwd=place, env=variables, text=True, capture_output=True, check=False
    )
    if done.returncode:
        sys.exit(f"{command}\nended with {done.returncode}: {done.stderr}")
    return done.stdout


def try_readme(environment, place):
    """README's commands and its code, beside a copy of the sample that travels with the wheel."""
    for version in ("textclust --version", "python -m textclust --version"):
        out = run(version, environment, place)
        print(out, end="")
        if "native core (" not in out:
            sys.exit(f"{version}: the wheel has no compiled core")
    sample = run("textclust corpora path newsgroups", environment, place).strip()
    if not sample.startswith(str(environment)):
        sys.exit(f"the sample is not that of the wheel: {sample}")
    shutil.copytree(sample, place / "newsgroups")
    for language, block in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        if language == "console":
            for command, shown in sessions(block):
                out = run(command, environment, place)
                if not shows(shown, out):
                    sys.exit(f"{command}\nREADME shows\n{shown}but it prints\n{out}")
        elif language == "python":
            (place / "readme.py").write_text(block, encoding="utf-8")
            run("python readme.py", environment, place)


def main(dist):
    """Check the two files of a folder; the reasons end the process."""
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    tracked = tracked_files()
    wrong = [
        *(
            f"{sdist.name}: {each}"
            for each in differences(in_sdist(sdist), expected_in_sdist(tracked))
        ),
        *(
            f"{wheel.name}: {each}"
            for each in differences(in_wheel(wheel), expected_in_wheel(tracked))
        ),
    ]
    if wrong:
        sys.exit("\n".join(wrong))
    with tempfile.TemporaryDirectory() as folder:
        environment, place = Path(folder, "environment"), Path(folder, "empty", "place")
        place.mkdir(parents=True)
        install(wheel.resolve(), environment)
        try_readme(environment, place)
    print(
        f"{sdist.name} and {wheel.name} hold what they should; README's commands run from the wheel"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
