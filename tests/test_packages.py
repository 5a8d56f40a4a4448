"""What the packages say of themselves, and the check of `make dist`."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.version import Version

import textclust
from tests import packages

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TRACKED = {
    *("README.md", "tests/test_x.py", "textclust/__init__.py", "textclust/py.typed"),
    *("textclust/native/rows.pyx", "textclust/native/rows.h", "cli/main.py"),
    "corpora/newsgroups/sci.astro/1",
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere():
    """CITATION.cff has it, and the changelog begins with it, unreleased or released as it says."""
    version = Version(textclust.__version__)
    assert f"\nversion: {version}\n" in read("CITATION.cff")
    first = re.search(r"^## (\S+)( \(unreleased\))?$", read("CHANGELOG.md"), re.MULTILINE)
    assert first is not None
    assert (first[1], first[2] is not None) == (version.base_version, version.is_devrelease)


def test_what_is_declared_of_python_agrees():
    named = [re.fullmatch(r".* :: (3\.\d+)", each) for each in SETTINGS["project"]["classifiers"]]
    versions = [found[1] for found in named if found]
    assert SETTINGS["project"]["requires-python"] == f">={versions[0]}"
    built = SETTINGS["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{version.replace('.', '')}-*" for version in versions]


def test_pre_commit_runs_what_make_lint_does():
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    commands = [line.replace("$(BIN)/", ".venv/bin/") for line in recipe[1].split("\t") if line]
    hooks = re.findall(r"^ +entry: (.*)$", read(".pre-commit-config.yaml"), re.MULTILINE)
    assert [command.strip() for command in commands] == hooks


WORKFLOWS = sorted((ROOT / ".github" / "workflows").iterdir())


def workflow(name):
    return yaml.safe_load(read(f".github/workflows/{name}.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_are_whole(path):
    """Each job has a machine and steps, or is another workflow that is there."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    for name, job in jobs.items():
        needed = job.get("needs", [])
        assert {*([needed] if isinstance(needed, str) else needed)} <= jobs.keys()
        if "uses" in job:
            assert (ROOT / job["uses"]).is_file(), name
        else:
            assert job["runs-on"], name
            assert all({"uses", "run"} & set(step) for step in job["steps"]), name


def test_tests_are_run_on_three_systems_with_the_oldest_and_the_newest_libraries():
    jobs = workflow("tests")["jobs"]
    matrix = jobs["newest"]["strategy"]["matrix"]
    assert {each.split("-")[0] for each in matrix["os"]} == {"ubuntu", "macos", "windows"}
    tried = {*matrix["python"], *(each["python"] for each in matrix["include"])}
    named = (re.fullmatch(r".* :: (3\.\d+)", each) for each in SETTINGS["project"]["classifiers"])
    assert tried == {found[1] for found in named if found}
    assert {"run": "make oldest"} in jobs["oldest"]["steps"]


def test_wheels_are_built_for_every_system_and_processor_that_is_declared():
    built = {
        (each["os"].split("-")[0], each["archs"])
        for each in workflow("wheels")["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    }
    systems = {"linux": "ubuntu", "macos": "macos", "windows": "windows"}
    settings = SETTINGS["tool"]["cibuildwheel"]
    declared = {(systems[each], arch) for each in systems for arch in settings[each]["archs"]}
    assert built == declared
    assert "skip" not in settings  # glibc and musl


def test_a_release_needs_no_password_and_an_address():
    """Trusted publishing: the job that publishes may ask for a token, and no secret is named."""
    release = workflow("release")
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert release["jobs"]["publish"]["environment"] == "release"
    assert "secrets." not in read(".github/workflows/release.yml")
    steps = [step.get("run", "") for step in release["jobs"]["version"]["steps"]]
    assert any("project.urls" in step for step in steps)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_what_the_makefile_has(path):
    for target in re.findall(r"\bmake ([\w./-]+)", path.read_text(encoding="utf-8")):
        known = rf"^{re.escape(target)}:" if not target.startswith(".") else re.escape("READY): ")
        assert re.search(known, read("Makefile"), re.MULTILINE), target


def wheel(place, names):
    """A wheel of empty files."""
    file = place / "textclust-1.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return file


WHOLE = [
    *("textclust/__init__.py", "textclust/py.typed", "textclust/cli/main.py"),
    "textclust/native/rows.cpython-311-x86_64-linux-gnu.so",
    "textclust/corpora/newsgroups/sci.astro/1",
    *(f"textclust-1.0.dist-info/{name}" for name in sorted(packages.OF_THE_WHEEL)),
    "textclust-1.0.dist-info/licenses/LICENSE",
]


def test_a_wheel_that_holds_what_is_tracked_is_right(tmp_path):
    found = packages.in_wheel(wheel(tmp_path, WHOLE))
    assert packages.differences(found, packages.expected_in_wheel(TRACKED)) == []


def test_a_wheel_without_the_core_or_with_more_is_found_out(tmp_path):
    names = [name for name in WHOLE if not name.endswith((".so", "/1"))]
    found = packages.in_wheel(wheel(tmp_path, [*names, "tests/test_x.py", "textclust/rows.c"]))
    assert packages.differences(found, packages.expected_in_wheel(TRACKED)) == [
        "missing: textclust/corpora/newsgroups/sci.astro/1",
        "missing: textclust/native/rows.*",
        "should not be there: tests/test_x.py",
        "should not be there: textclust/rows.c",
    ]


def test_an_sdist_has_the_sources_of_the_core_and_no_tests():
    expected = packages.expected_in_sdist(TRACKED)
    assert {"textclust/native/rows.pyx", "textclust/native/rows.h", "README.md"} <= expected
    assert "tests/test_x.py" not in expected


def test_what_belongs_to_the_packages_is_tracked():
    """The check of `make dist` goes by what git tracks; build results must not be."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    tracked = packages.tracked_files()
    assert tracked >= packages.BESIDE_THE_CODE
    folders = tuple(packages.FOLDERS)
    assert not [x for x in tracked if x.startswith(folders) and x.endswith((".so", ".c", ".pyc"))]
