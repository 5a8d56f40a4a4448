"""The house rules: layers, public names, quick starts, nothing densified."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

import textclust

ROOT = Path(__file__).resolve().parents[1]

# Each room may use the rooms above it in this list, never one below.
LAYERS = [
    {"csr", "errors", "progress", "native", "regular_files", "stopping", "threads"},
    {"parameters", "registry", "writing", "measures", "plain", "display", "extras"},
    {"geometry"},
    {"text", "embedding"},
    {"supervision", "learned_metrics"},
    {"metrics", "engine"},
    {"methods"},
    {"result", "active", "model_selection"},
    {"comparison"},
    {"report"},
    {"plotting"},
    {"sources", "knowledge", "examples", "embeddings"},
    {"pipeline"},
    {"refitting"},
    {"workbench"},
    {"estimators"},
    {"distributed"},
    {"corpora"},
    {"experiments"},
    {"cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# Imports against the order, inside functions, each with its reason.
LATE = {
    ("textclust/result/clustering.py", "report"): "`Clustering.report` is a method of the result",
    ("textclust/result/drawn.py", "plotting"): "so are `Clustering.plot` and its like",
    ("textclust/comparison/difference.py", "report"): "`Difference.page` is a method of it",
}


def modules():
    """The modules of each room."""
    found = defaultdict(dict)
    for folder, room in (("textclust", None), ("cli", "cli"), ("corpora", "corpora")):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).parts
            own = room or parts[0].removesuffix(".py")
            if own != "__init__":
                found[own][path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


MODULES = modules()
EACH_ROOM = pytest.mark.parametrize("own", sorted(MODULES))


def trees(own):
    """Each module of a room by its path, parsed."""
    return {place: ast.parse(text) for place, text in MODULES[own].items()}


def imported_rooms(tree):
    """The rooms that a module imports, at once or inside its functions, but not for types alone."""
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        names = []
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "textclust" and len(parts) > 1 and parts[1] in LEVEL:
                yield parts[1]


@EACH_ROOM
def test_dependencies_point_one_way(own):
    upward = {
        (place, room)
        for place, tree in trees(own).items()
        for room in imported_rooms(tree)
        if LEVEL[room] > LEVEL[own]
    }
    assert upward == {(place, room) for place, room in LATE if place in MODULES[own]}


def depth(kind):
    """How many classes of ours a class stands on, itself included."""
    ours = [base for base in kind.__mro__ if base.__module__.startswith("textclust")]
    return max((1 + depth(base) for base in kind.__bases__ if base in ours), default=1)


def test_no_class_is_more_than_four_deep():
    for path in (path for room in MODULES.values() for path in room):
        place = path.removesuffix(".py").replace("/", ".")
        name = place if place.startswith("textclust") else f"textclust.{place}"
        for kind in vars(import_module(name.removesuffix(".__init__"))).values():
            if isinstance(kind, type) and kind.__module__ == name:
                assert depth(kind) <= 4, f"{name}.{kind.__name__} is {depth(kind)} deep"


# Names with an underscore that their libraries document for everybody.
NOT_PRIVATE = {
    "_replace": "of a named tuple, where the underscore keeps it apart from the fields",
    "_fields": "the same",
    "_exit": "os._exit, to end without flushing a standard output that takes no more",
}


def foreign_privates(tree):
    """Accesses to a private name of an object whose class is not the one the code stands in.

    A class may use its own, or an inherited one, on another of its objects: in `__eq__`, or on a
    copy of itself with other settings. It has a private name if it uses it on itself too.
    """
    accesses = {id(node): node for node in ast.walk(tree) if is_private_access(node)}
    for place in ast.walk(tree):
        if isinstance(place, ast.ClassDef):
            found = [node for node in ast.walk(place) if id(node) in accesses]
            methods = {each.name for each in place.body if isinstance(each, ast.FunctionDef)}
            own = methods | {node.attr for node in found if is_own(node)}
            for node in found:
                if node.attr in own:
                    accesses.pop(id(node), None)
    return [ast.unparse(node) for node in accesses.values() if not is_own(node)]


def is_private_access(node):
    private = isinstance(node, ast.Attribute) and re.match(r"_(?!_)|__dict__$", node.attr)
    return bool(private) and node.attr not in NOT_PRIVATE


def is_own(node):
    return ast.unparse(node.value) in {"self", "cls", "super()"} and node.attr != "__dict__"


@EACH_ROOM
def test_no_privates_of_other_objects_and_no_dict_poked(own):
    found = {place: foreign_privates(tree) for place, tree in trees(own).items()}
    assert {place: names for place, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "code",
    [
        "class A:\n    def f(self, other):\n        return other._hidden",
        "def f(one):\n    return one._hidden",
        "class A:\n    def f(self):\n        self.__dict__['name'] = 1",
        "class A:\n    def _own(self): ...\n\nA()._own()",
    ],
)
def test_that_rule_finds_them(code):
    assert len(foreign_privates(ast.parse(code))) == 1


@pytest.mark.parametrize("room", sorted(LEVEL.keys() - {"cli", "corpora"}))
def test_every_room_says_what_it_is_for(room):
    folder, file = ROOT / "textclust" / room / "__init__.py", ROOT / "textclust" / f"{room}.py"
    path = folder if folder.is_file() else file
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@EACH_ROOM
def test_no_private_names_of_other_libraries(own):
    for place, tree in trees(own).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                foreign = not node.module.startswith(("textclust", "__future__"))
                private = any(part.startswith("_") for part in node.module.split("."))
                assert not (foreign and private), (place, node.module)


@EACH_ROOM
def test_nothing_is_densified(own):
    for place, text in MODULES[own].items():
        assert not re.search(r"\.(toarray|todense)\(", text), place


# A command of its own, and the text of the page that it writes.
SPEAKS_OF_OPTIONS = "textclust/experiments/page.py"


def literals(tree):
    """The text of a module that is not documentation: every string, and parts of formatted ones."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node) is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "x".join(part.value for part in node.values if isinstance(part, ast.Constant))


@pytest.mark.parametrize("own", sorted(MODULES.keys() - {"cli"}))
def test_the_library_speaks_of_no_options(own):
    for place, tree in trees(own).items():
        for text in literals(tree):
            found = re.search(r"(?:^|[\s(`'])--[a-zA-Z]", text)
            assert found is None or place == SPEAKS_OF_OPTIONS, (place, text)


def test_every_room_is_packed():
    """An editable install would not miss one that the list forgets."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    class_of_cluster = {"cli": "textclust.cli", "corpora": "textclust.corpora"}
    found = [
        class_of_cluster.get(folder.name, folder.relative_to(ROOT).as_posix().replace("/", "."))
        for start in ("textclust", "cli", "corpora")
        for folder in [ROOT / start, *(path for path in (ROOT / start).rglob("*") if path.is_dir())]
        if (folder / "__init__.py").is_file()
    ]
    assert sorted(settings["tool"]["setuptools"]["packages"]) == sorted(found)


def test_public_names_are_sorted_importable_and_documented():
    assert list(textclust.__all__) == sorted(textclust.__all__)
    for name in textclust.__all__:
        assert getattr(textclust, name).__doc__, name
    assert set(textclust.__all__) <= set(dir(textclust))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = textclust.nothing


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["cluster", "--help"]])
def test_help_answers_without_the_heavy_libraries(arguments):
    program = (
        "import sys; from textclust.cli.main import run; code = run(sys.argv[1:]);"
        "heavy = {'numpy', 'scipy', 'sklearn', 'nltk', 'joblib', 'pandas'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else code)"
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nltk_is_imported_only_to_stem():
    program = (
        "import sys, textclust as tc; tc.TextVectorizer(min_df=1).fit(['red lens', 'dark star']);"
        "sys.exit('nltk' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


FORBIDDEN = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}


@EACH_ROOM
def test_no_pickle_no_eval_and_no_shell(own):
    """Whatever is read is data: nothing in a file can become code."""
    for place, node in ((place, each) for place, t in trees(own).items() for each in ast.walk(t)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & FORBIDDEN, place
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("eval", "exec", "os.system", "os.popen"), place
            given = {each.arg: ast.unparse(each.value) for each in node.keywords}
            assert given.get("shell", "False") == "False", place
            assert given.get("allow_pickle", "False") == "False", place
