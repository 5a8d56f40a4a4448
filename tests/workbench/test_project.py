"""A project: its folder, its tables, and the edits of a person in them."""

from __future__ import annotations

import csv
import io
import os
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.writing.steps import at_step, fill_the_disk, in_another_process, kill, listing, steps_of
from textclust.errors import InputError, OutputError
from textclust.supervision.constraint_files import read_links
from textclust.text.labels import read_labels
from textclust.workbench.project import Project, Tables
from textclust.writing import unquoted
from textclust.writing.tables import is_our_table

NAMES = ("seeds.csv", "constraints.csv", "clusters.csv", "labels.csv")


def tables(name="space, orbit", score=0.5):
    return Tables(
        seeds=[("a/1", name)],
        constraints=[("a/1", 'b"2', "must-link"), ("a/1", "c,3", "cannot-link")],
        clusters=[(1, name, True, 2), (2, "=SUM(A1)", False, 1)],
        labels=[("a/1", 1, name, score), ('b"2', 1, name, 1.0), ("c,3", 2, "=SUM(A1)", 0.25)],
    )


def contents(folder):
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}


def test_a_project_is_made_and_opened_again(tmp_path):
    folder = tmp_path / "deep" / "news.textclust"
    with Project.open(folder) as project:
        assert project.folder == folder
        assert project.journal.append({"action": "refit"}) == 1
    with Project.open(folder) as project:
        assert project.journal.actions == [{"action": "refit"}]
    assert [each.name for each in folder.iterdir()] == ["journal.jsonl"]


def test_an_empty_folder_may_be_used(tmp_path):
    (tmp_path / ".DS_Store").write_text("")
    Project.open(tmp_path).close()


def test_the_folder_of_others_is_refused_and_stays(tmp_path):
    (tmp_path / "labels.csv").write_text("mine")
    with pytest.raises(InputError, match=r"because of labels\.csv in it; name another folder"):
        Project.open(tmp_path)
    assert listing(tmp_path) == {"labels.csv": b"mine"}
    with pytest.raises(InputError, match="cannot be opened as a folder"):
        Project.open(tmp_path / "labels.csv")


def test_a_project_is_open_once(tmp_path):
    with (
        Project.open(tmp_path),
        pytest.raises(InputError, match=rf"in use .*process {os.getpid()}, since"),
    ):
        Project.open(tmp_path)
    Project.open(tmp_path).close()


def test_the_tables_are_those_that_the_commands_read(tmp_path):
    with Project.open(tmp_path) as project:
        project.write(tables())
    assert read_labels(tmp_path / "seeds.csv") == {"a/1": "space, orbit"}
    links = [
        (link.left, link.right, link.kind) for link in read_links(tmp_path / "constraints.csv")
    ]
    assert links == tables().constraints
    assert read_labels(tmp_path / "labels.csv") == {"a/1": "1", 'b"2': "1", "c,3": "2"}
    assert is_our_table(tmp_path / "labels.csv")
    text = (tmp_path / "clusters.csv").read_text(encoding="utf-8")
    assert text == 'cluster,name,locked,size\n1,"space, orbit",1,2\n2,\'=SUM(A1),0,1\n'


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(st.dictionaries(CELLS, CELLS, min_size=1))
def test_any_names_come_back(tmp_path_factory, names):
    seeds = [*names.items()]
    found = Tables(seeds, [], [], []).files(keep_formulas=True)["seeds.csv"].decode("utf-8")
    assert [*csv.reader(io.StringIO(found, newline=""))] == [["id", "label"], *map(list, seeds)]
    found = Tables(seeds, [], [], []).files()["seeds.csv"].decode("utf-8")
    _, *rows = csv.reader(io.StringIO(found, newline=""))
    assert [list(map(unquoted, row)) for row in rows] == [*map(list, seeds)]


def test_a_project_may_keep_formulas(tmp_path):
    with Project.open(tmp_path, keep_formulas=True) as project:
        project.write(tables())
    assert "\n2,=SUM(A1),0,1\n" in (tmp_path / "clusters.csv").read_text(encoding="utf-8")


def test_half_of_a_letter_is_an_error(tmp_path):
    with Project.open(tmp_path) as project, pytest.raises(InputError, match=r"seeds\.csv: half"):
        project.write(tables("\ud800"))
    assert contents(tmp_path) == {}


def test_what_has_not_changed_is_left_alone(tmp_path):
    with Project.open(tmp_path) as project:
        project.write(tables())
        before = {name: (tmp_path / name).stat().st_ino for name in (*NAMES, "files.json")}
        project.write(tables())
        assert before == {name: (tmp_path / name).stat().st_ino for name in before}
        project.write(tables(score=0.75))
        after = {name: (tmp_path / name).stat().st_ino for name in before}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"labels.csv", "files.json"}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_person_edited_is_not_overwritten(tmp_path, name):
    with Project.open(tmp_path) as project:
        project.write(tables())
        with open(tmp_path / name, "a", encoding="utf-8") as file:
            file.write("mine\n")
        before = listing(tmp_path)
        for _ in range(2):
            with pytest.raises(InputError, match=f"{name}: changed since the workbench wrote it"):
                project.write(tables("other"))
            assert listing(tmp_path) == before
    with Project.open(tmp_path) as project:
        with pytest.raises(InputError, match=name):
            project.write(tables("other"))
        (tmp_path / name).unlink()
        project.write(tables("other"))
    assert contents(tmp_path) == tables("other").files()


def test_an_older_version_put_back_is_an_edit_too(tmp_path):
    with Project.open(tmp_path) as project:
        project.write(tables())
        old = (tmp_path / "labels.csv").read_bytes()
        project.write(tables("other"))
        (tmp_path / "labels.csv").write_bytes(old)
        with pytest.raises(InputError, match=r"labels\.csv"):
            project.write(tables("third"))


def test_a_file_that_was_there_before_us_is_not_overwritten(tmp_path):
    with Project.open(tmp_path) as project:
        (tmp_path / "labels.csv").write_text("mine", encoding="utf-8")
        with pytest.raises(InputError, match=r"labels\.csv"):
            project.write(tables())
    assert contents(tmp_path) == {"labels.csv": b"mine"}


def test_an_edit_while_we_write_is_not_overwritten(tmp_path, monkeypatch):
    from textclust.workbench import written_files

    real = written_files.write_whole

    def edited(path, content, **options):
        if path.name == "labels.csv":
            path.write_text("mine", encoding="utf-8")
        return real(path, content, **options)

    with Project.open(tmp_path) as project:
        project.write(tables())
        monkeypatch.setattr(written_files, "write_whole", edited)
        with pytest.raises(OutputError, match=r"labels\.csv"):
            project.write(tables("other"))
    assert (tmp_path / "labels.csv").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": {"labels.csv": "x"}}', "\xff"])
def test_a_record_that_somebody_changed_is_an_error(tmp_path, text):
    with Project.open(tmp_path) as project:
        project.write(tables())
        (tmp_path / "files.json").write_bytes(text.encode("latin-1"))
        with pytest.raises(InputError, match=r"files\.json: not as the workbench wrote it"):
            project.write(tables("other"))


def test_a_kill_at_any_step_leads_to_no_false_alarm(tmp_path, monkeypatch):
    def write(folder, name):
        with Project.open(folder) as project:
            project.write(tables(name))

    old, new = tables("old").files(), tables("new").files()
    write(tmp_path / "old", "old")
    shutil.copytree(tmp_path / "old", tmp_path / "count")
    for step in steps_of(monkeypatch, lambda: write(tmp_path / "count", "new")):
        folder = tmp_path / str(step)
        shutil.copytree(tmp_path / "old", folder)
        with at_step(monkeypatch, step, kill, after=False):
            assert in_another_process(lambda folder=folder: write(folder, "new")) == 9
        for name, content in contents(folder).items():
            assert content in (old[name], new[name])
        write(folder, "third")
        assert contents(folder) == tables("third").files()
        assert {each.name for each in folder.iterdir()} == {*NAMES, "files.json", "journal.jsonl"}


def test_a_full_disk_at_any_step_leads_to_no_false_alarm(tmp_path, monkeypatch):
    old, new = tables("old").files(), tables("new").files()
    with Project.open(tmp_path / "count") as project:
        project.write(tables("old"))
        shutil.copytree(tmp_path / "count", tmp_path / "old")
        steps = steps_of(monkeypatch, lambda: project.write(tables("new")))
    for step in steps:
        shutil.copytree(tmp_path / "old", tmp_path / str(step))
        with Project.open(tmp_path / str(step)) as project:
            with at_step(monkeypatch, step, fill_the_disk, after=False):
                try:
                    project.write(tables("new"))
                except (InputError, OutputError) as error:
                    assert "No space left" in str(error)  # noqa: PT017 - some steps may fail
            for name, content in contents(project.folder).items():
                assert content in (old[name], new[name])
            project.write(tables("new"))
            assert contents(project.folder) == new
