"""textclust cluster: the table, the files, and every kind of collection."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import tarfile
import zipfile

import numpy as np
import pytest

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.cli.running import finish, read_rows, snapshot, start, write_files
from textclust.writing import unquoted

BICYCLES = {"bike", "chain", "wheel", "tyre", "brake"}
HOSTILE = "\x1b[31mred\x1b[0m \x9b2J\x07 [bold red]loud[/bold red] \u202eback \x08"


def partition(labels):
    """Which documents are together, whatever the clusters are called."""
    groups = {}
    for row in labels:
        groups.setdefault(row["cluster"], set()).add(row["id"])
    return sorted(map(sorted, groups.values()))


BY_FOLDER = [[name for name in TEXTS if name.startswith(f)] for f in ("bicycles", "bread", "moon")]


# The terminal


def test_the_table_shows_each_cluster_with_size_terms_and_a_typical_document(textclust, corpus):
    answer = textclust("cluster", corpus, "--k", 3)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.startswith("12 documents in 3 clusters\n")
    row = r"^│ +(\d) │ (.+?) +│ +(\d+) │ (.+?) +│ (.+?) +│$"
    rows = re.findall(row, answer.out, re.MULTILINE)
    assert [row[::2][:2] for row in rows] == [("0", "4"), ("1", "4"), ("2", "4")]
    ((name, _, terms, typical),) = [row[1:] for row in rows if "bike" in row[3]]
    assert set(name.lower().split(", ")) & BICYCLES
    assert len(terms.split(", ")) <= 6
    assert set(terms.split(", ")) & BICYCLES
    assert re.search(r"\(bicycles/\d\)$", typical)


def test_fewer_terms_are_shown_when_asked(textclust, corpus):
    answer = textclust("cluster", corpus, "--k", 3, "--terms", 1)
    assert re.search(r"│ moon +│", answer.out)


def test_agreement_is_shown_where_every_document_lies_in_a_sub_folder(textclust, corpus, tmp_path):
    line = "Agreement with the known classes: NMI 1.000, pairwise F 1.000 (12 documents)"
    assert line in textclust("cluster", corpus, "--k", 3).out.splitlines()
    flat = write_files(tmp_path / "flat", {n.replace("/", "-"): t for n, t in TEXTS.items()})
    assert "Agreement" not in textclust("cluster", flat, "--k", 3).out
    mixed = write_files(tmp_path / "mixed", {**TEXTS, "top": "A moon above the bread."})
    assert "Agreement" not in textclust("cluster", mixed, "--k", 3).out


def test_files_left_out_are_counted_on_standard_error(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    write_files(folder, {"bread/photo": b"\x00\x01" * 99, ".hidden": "x", "moon/empty": ""})
    answer = textclust("cluster", folder, "--k", 3)
    assert answer.code == 0
    assert answer.err.splitlines() == [
        "2 files left out: 1 hidden, 1 binary",
        "1 document without any term that counts",
    ]


@pytest.mark.parametrize("where", ["text", "name"])
def test_hostile_documents_cannot_write_to_the_terminal(textclust, corpus, tmp_path, where):
    files = {
        (f"{name}{HOSTILE}" if where == "name" else name): f"{HOSTILE}\n{text}"
        for name, text in TEXTS.items()
    }
    answer = textclust("cluster", write_files(tmp_path / "texts", files), "--k", 3)
    assert answer.code == 0
    assert not set(answer.out) & set("\x1b\x9b\x07\x08\u202e")
    assert "[bold red]loud[/bold red]" in answer.out


# JSON


def test_json_is_one_object_and_nothing_else(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    write_files(folder, {"bread/photo": b"\x00\x01" * 99})
    answer = textclust("cluster", folder, "--k", 3, "--json", "--out", tmp_path / "out")
    assert answer.code == 0
    assert isinstance(answer.json, dict)
    assert "1 file left out: 1 binary" in answer.err
    written = json.loads((tmp_path / "out" / "clusters.json").read_bytes())
    assert list(written.pop("tables")) == ["labels.csv"]
    assert {**written, "labels": answer.json["labels"]} == answer.json


@pytest.mark.parametrize("k", [1, 2, 3, 5, 12])
def test_there_are_k_clusters_with_names_that_differ(textclust, corpus, k):
    answer = textclust("cluster", corpus, "--k", k, "--min-df", 1, "--json").json
    names = [cluster["name"] for cluster in answer["clusters"]]
    assert answer["k"] == k == len(names) == len(set(names))
    assert [cluster["cluster"] for cluster in answer["clusters"]] == list(range(k))
    assert all(cluster["size"] > 0 for cluster in answer["clusters"])
    assert sum(cluster["size"] for cluster in answer["clusters"]) == 12 == len(answer["labels"])
    assert {row["cluster"] for row in answer["labels"]} == set(range(k))


def test_json_stays_json_where_the_terminal_knows_only_ascii(corpus, tmp_path):
    folder = write_files(tmp_path / "texts", {f"{n} é–中": f"né {t}" for n, t in TEXTS.items()})
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    answer = finish(start("cluster", folder, "--k", 3, "--json", env=environment))
    assert answer.code == 0, answer.err
    assert answer.out.isascii()
    assert {row["id"] for row in answer.json["labels"]} == {f"{name} é–中" for name in TEXTS}


# --out


def test_out_gets_labels_clusters_model_and_report(results):
    found = {name for name, content in snapshot(results).items() if content is not None}
    model = {f"model/{name}" for name in ("manifest.json", "model.json", "arrays.npz")}
    assert found == {"labels.csv", "clusters.json", "report.html", "run.json", *model}


def test_labels_name_every_document_once_in_the_order_read(results, corpus):
    rows = read_rows(results / "labels.csv")
    assert list(rows[0]) == ["id", "cluster", "name", "score"]
    assert [row["id"] for row in rows] == sorted(TEXTS) == tc.read_documents(corpus).ids
    assert partition(rows) == BY_FOLDER
    assert all(0 <= float(row["score"]) <= 1 for row in rows)
    assert len({(row["cluster"], row["name"]) for row in rows}) == 3


def test_clusters_hold_what_describes_them(results):
    content = json.loads((results / "clusters.json").read_bytes())
    assert content["documents"] == 12
    assert content["objective"] > 0
    assert content["agreement"] == {"nmi": 1.0, "pairwise_f1": 1.0, "documents": 12}
    bikes = next(c for c in content["clusters"] if "bike" in c["name"])
    assert bikes["size"] == 4
    assert {term["term"] for term in bikes["terms"]} >= {"bike", "chain", "wheel"}
    assert {term["term"] for term in bikes["discriminating_terms"]} & BICYCLES
    for kind in ("representatives", "borderline"):
        assert {document["id"] for document in bikes[kind]} <= set(BY_FOLDER[0])
        assert all(TEXTS[document["id"]].startswith(document["title"]) for document in bikes[kind])


def test_the_report_shows_names_and_documents(results):
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "bicycles/1" in page
    assert "wheel is true again" in page


def test_clusters_record_enough_to_repeat_the_run(textclust, sample, tmp_path):
    options = ("--random-state", 7, "--quotes", "strip", "--ngrams", 2, "--distortion", "kl")
    answer = textclust("cluster", sample, "--k", 3, *options, "--out", tmp_path / "out")
    assert answer.code == 0
    settings = json.loads((tmp_path / "out" / "clusters.json").read_bytes())["settings"]
    for library in ("textclust", "python", "numpy", "scipy", "scikit-learn"):
        assert settings["versions"][library]
    collection = settings["collection"]
    assert len(collection["sha256"]) == 64
    columns = {f"{name}_column": column for name, column in collection["columns"].items()}
    cleaning = tc.Cleaning(**collection["cleaning"])
    documents = tc.read_documents(collection["source"], cleaning=cleaning, **columns)
    chosen = {**settings["vectorizer"], "dtype": np.dtype(settings["vectorizer"]["dtype"]).type}
    parameters = dict(settings["parameters"])
    again = tc.cluster(
        documents,
        parameters.pop("n_clusters"),
        method=settings["method"],
        vectorizer=tc.TextVectorizer(**chosen),
        **parameters,
    )
    labels = [int(row["cluster"]) for row in read_rows(tmp_path / "out" / "labels.csv")]
    assert again.labels.tolist() == labels
    assert again.settings["collection"]["sha256"] == collection["sha256"]


def test_the_hash_tells_any_change_of_the_collection(textclust, corpus, tmp_path):
    def digest(folder):
        answer = textclust("cluster", folder, "--k", 3, "--json")
        return answer.json["settings"]["collection"]["sha256"]

    folder = shutil.copytree(corpus, tmp_path / "texts")
    assert digest(folder) == digest(corpus)
    write_files(folder, {"moon/4": TEXTS["moon/4"] + "!"})
    assert digest(folder) != digest(corpus)


def test_out_with_the_name_of_a_table_gets_the_labels_alone(textclust, results, corpus, tmp_path):
    table = tmp_path / "new" / "sorted.csv"
    answer = textclust("cluster", corpus, "--k", 3, "--out", table)
    assert (answer.code, answer.err) == (0, f"written to {table}\n")
    assert table.read_bytes() == (results / "labels.csv").read_bytes()
    assert list(table.parent.iterdir()) == [table]


def test_labels_inside_the_collection_are_not_read_as_a_document(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    for _ in range(2):
        assert textclust("cluster", folder, "--k", 3, "--out", folder / "labels.csv").code == 0
    assert len(read_rows(folder / "labels.csv")) == 12


def test_the_same_random_state_gives_the_same_bytes(textclust, sample, tmp_path):
    for name in ("one", "two"):
        assert textclust("cluster", sample, "--k", 4, "--out", tmp_path / name).code == 0
    one, two = snapshot(tmp_path / "one"), snapshot(tmp_path / "two")
    assert one == two


def test_any_working_directory_and_any_process_give_the_same_bytes(results, corpus, tmp_path):
    environment = {"PYTHONHASHSEED": "99"}
    place = tmp_path / "elsewhere"
    place.mkdir()
    process = start("cluster", corpus, "--k", 3, "--out", "out", cwd=place, env=environment)
    answer = finish(process)
    assert answer.code == 0
    assert (
        answer.err == "written to out: labels.csv, clusters.json, model/, report.html, run.json\n"
    )
    for name in ("labels.csv", "clusters.json"):
        assert (place / "out" / name).read_bytes() == (results / name).read_bytes()
    assert list(place.iterdir()) == [place / "out"]


def test_results_of_an_earlier_run_are_replaced_and_other_files_stay(textclust, corpus, tmp_path):
    out = tmp_path / "out"
    write_files(out, {"mine.txt": "mine"})
    assert textclust("cluster", corpus, "--k", 2, "--out", out).code == 0
    assert textclust("cluster", corpus, "--k", 3, "--out", out).code == 0
    assert (out / "mine.txt").read_text() == "mine"
    assert {row["cluster"] for row in read_rows(out / "labels.csv")} == {"0", "1", "2"}
    assert tc.load(out).k == 3
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_results_inside_the_collection_are_not_read_as_documents(
    textclust, corpus, tmp_path, monkeypatch
):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    monkeypatch.chdir(folder)
    seen = []
    for _ in range(2):
        answer = textclust("cluster", ".", "--k", 3, "--out", "found/here")
        assert (answer.code, answer.err.count("left out")) == (0, 0)
        seen.append(snapshot(folder / "found"))
    assert seen[0] == seen[1]
    assert len(read_rows(folder / "found" / "here" / "labels.csv")) == 12


def test_labels_can_be_read_back_whatever_the_ids_hold(textclust, tmp_path):
    names = ["a,b", 'quo"te', "new\nline", "carriage\rreturn", " space ", "é中", "=1+1", "x\x1b[0m"]
    texts = [TEXTS[name] for name in (*BY_FOLDER[0], *BY_FOLDER[2])]
    folder = write_files(tmp_path / "texts", dict(zip(names, texts, strict=True)))
    assert textclust("cluster", folder, "--k", 2, "--out", tmp_path / "out").code == 0
    rows = read_rows(tmp_path / "out" / "labels.csv")
    for row in rows:
        row["id"] = unquoted(row["id"])
    assert [row["id"] for row in rows] == sorted(names)
    assert partition(rows) == sorted([sorted(names[:4]), sorted(names[4:])])


def test_without_texts_no_word_of_a_single_document_is_in_the_report(textclust, tmp_path):
    files = {n: f"Title{i:02}zq of it\n{t}secret{i:02}zq" for i, (n, t) in enumerate(TEXTS.items())}
    folder = write_files(tmp_path / "texts", files)
    for name, options in {"with": (), "without": ("--no-text",)}.items():
        out = tmp_path / name
        assert textclust("cluster", folder, "--k", 3, "--out", out, *options).code == 0
    pages = {n: (tmp_path / n / "report.html").read_text().lower() for n in ("with", "without")}
    assert len(re.findall(r"title\d\dzq", pages["with"])) >= 12
    assert "secret00zq" in pages["with"]
    assert not re.findall(r"title\d\dzq|secret\d\dzq|included|wobbles", pages["without"])
    assert "bicycles/1" in pages["without"]


# Sources


def table_rows():
    return [("id", "text", "label"), *((n, t, n.split("/")[0]) for n, t in sorted(TEXTS.items()))]


def delimited(delimiter):
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter).writerows(table_rows())
    return buffer.getvalue().encode()


def jsonl():
    header, *rows = table_rows()
    return "".join(json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows).encode()


def parquet():
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    header, *rows = table_rows()
    buffer = io.BytesIO()
    columns = zip(*rows, strict=True)
    parquet.write_table(arrow.table(dict(zip(header, map(list, columns), strict=True))), buffer)
    return buffer.getvalue()


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in TEXTS.items():
            archive.writestr(f"texts/{name}", text)
    return buffer.getvalue()


def tarred():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in TEXTS.items():
            info = tarfile.TarInfo(f"texts/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


KINDS = {
    ".csv": lambda: delimited(","),
    ".tsv": lambda: delimited("\t"),
    ".jsonl": jsonl,
    ".parquet": parquet,
    ".zip": zipped,
    ".tar.gz": tarred,
}


def without_source(answer):
    """All that does not depend on where the documents were read."""
    assert answer.code == 0, answer.err
    content = answer.json
    for name in ("source", "columns"):
        content["settings"]["collection"].pop(name)
    return content


@pytest.mark.parametrize("kind", [*KINDS, "-"])
def test_every_source_gives_the_same_clustering(textclust, corpus, tmp_path, kind):
    expected = without_source(textclust("cluster", corpus, "--k", 3, "--json"))
    if kind == "-":
        answer = textclust("cluster", "-", "--k", 3, "--json", stdin=jsonl())
    else:
        path = tmp_path / f"texts{kind}"
        path.write_bytes(KINDS[kind]())
        answer = textclust("cluster", path, "--k", 3, "--json")
    assert without_source(answer) == expected


def test_columns_of_a_table_can_be_renamed(textclust, corpus, tmp_path):
    table = delimited(",").replace(b"id,text,label", b"key,body,topic")
    path = tmp_path / "texts.csv"
    path.write_bytes(table)
    names = ("--text-column", "body", "--id-column", "key", "--label-column", "topic")
    answer = textclust("cluster", path, "--k", 3, "--json", *names)
    assert without_source(answer) == without_source(
        textclust("cluster", corpus, "--k", 3, "--json")
    )


# Options


@pytest.mark.parametrize("distortion", ["cosine", "kl", "euclidean"])
def test_every_distortion_finds_what_is_plain(textclust, corpus, distortion):
    answer = textclust("cluster", corpus, "--k", 3, "--distortion", distortion, "--json").json
    assert answer["settings"]["parameters"]["distortion"] == distortion
    assert partition(answer["labels"]) == BY_FOLDER


@pytest.mark.parametrize("init", ["auto", "lsa", "k-means++", "perturbed", "farthest"])
def test_every_start_can_be_asked_for(textclust, corpus, init):
    answer = textclust("cluster", corpus, "--k", 3, "--init", init, "--json").json
    assert answer["settings"]["parameters"]["init"] == init
    assert answer["k"] == 3


def vocabulary(textclust, folder, *options):
    """The terms that counted."""
    out = folder.parent / "vocabulary"
    answer = textclust("cluster", folder, "--k", 2, "--out", out, *options)
    assert answer.code == 0, answer.err
    return set(tc.load(out).vectorizer.vocabulary_)


def test_stems_join_forms_of_a_word(textclust, tmp_path):
    texts = ["cats jumping", "cat jumps", "dogs barking", "dog barks"]
    folder = write_files(tmp_path / "texts", {str(i): text for i, text in enumerate(texts)})
    answer = textclust("cluster", folder, "--k", 2, "--stem", "--json").json
    assert partition(answer["labels"]) == [["0", "1"], ["2", "3"]]
    assert answer["settings"]["vectorizer"]["stem"] is True
    assert {"cat, jumps", "barks, dog"} == {cluster["name"] for cluster in answer["clusters"]}


GERMAN = {
    "1": "Das Fahrrad und die Kette, aber nicht das Rad",
    "2": "Eine Kette für mein Fahrrad und ein Rad",
    "3": "Der Mond und die Sterne über dem Fernrohr",
    "4": "Sterne und Mond, aber nicht mit dem Fernrohr",
    "5": "Brot aus Mehl",
}


def test_the_language_decides_which_words_are_stopped(textclust, tmp_path):
    folder = write_files(tmp_path / "texts", GERMAN)
    stopped = {"und", "die", "das", "nicht", "aber", "dem"}
    german = vocabulary(textclust, folder, "--language", "german")
    assert not german & stopped
    assert german >= {"fahrrad", "kette", "mond", "sterne", "fernrohr"}
    assert vocabulary(textclust, folder) >= stopped
    assert vocabulary(textclust, folder, "--language", "none") >= stopped
    assert "the" in vocabulary(
        textclust, write_files(tmp_path / "texts", {"6": "the end"}), "--language", "none"
    )


def test_german_words_can_be_stemmed(textclust, tmp_path):
    folder = write_files(tmp_path / "texts", GERMAN)
    found = vocabulary(textclust, folder, "--language", "german", "--stem")
    assert "stern" in found
    assert "sterne" not in found


def test_runs_of_words_can_be_counted(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    single = vocabulary(textclust, folder)
    assert not [term for term in single if " " in term]
    assert vocabulary(textclust, folder, "--ngrams", 2) - single >= {"night sky", "hot oven"}


def test_stop_words_of_a_file_of_another_language_or_none(textclust, tmp_path):
    folder = write_files(tmp_path / "texts", GERMAN)
    file = tmp_path / "stops.txt"
    file.write_text("mond\nMehl\n")
    found = vocabulary(textclust, folder, "--stop-words", file)
    assert not found & {"mond", "mehl"}
    assert found >= {"und", "sterne"}
    assert "und" not in vocabulary(textclust, folder, "--stop-words", "german")
    assert "und" in vocabulary(textclust, folder, "--language", "german", "--stop-words", "none")
    stems = vocabulary(textclust, folder, "--language", "german", "--stem", "--stop-words", file)
    assert {"stern", "und"} <= stems


def test_a_word_is_what_the_pattern_says_and_only_so_many_are_kept(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    long = vocabulary(textclust, folder, "--token-pattern", "[a-z]{6,}")
    assert long
    assert min(map(len, long)) >= 6
    assert len(vocabulary(textclust, folder, "--max-features", 3)) == 3
    for options, message in (
        (("--token-pattern", "["), "--token-pattern [ is not a regular expression"),
        (("--token-pattern", "(a)(b)"), "2 groups, and only one may be the token"),
        (("--stop-words", "nowhere.txt"), "no stop words for 'nowhere.txt': no file of this name"),
    ):
        done = textclust("cluster", folder, "--k", 3, *options)
        assert done.code == 2
        assert message in done.err


def test_numbers_can_be_left_out(textclust, tmp_path):
    texts = {str(i): text for i, text in enumerate(["moon 1969", "moon 1969 x11", "oven", "oven"])}
    folder = write_files(tmp_path / "texts", texts)
    assert "1969" in vocabulary(textclust, folder, "--min-df", 1)
    assert vocabulary(textclust, folder, "--min-df", 1, "--no-numbers") == {"moon", "oven", "x11"}


@pytest.mark.parametrize("weighting", ["tf", "log", "binary"])
def test_terms_are_weighted_as_asked(textclust, corpus, tmp_path, weighting):
    vocabulary(textclust, shutil.copytree(corpus, tmp_path / "texts"), "--weighting", weighting)
    kept = tc.load(tmp_path / "vocabulary").settings["vectorizer"]
    expected = {"tf": (False, False), "log": (True, False), "binary": (False, True)}
    assert (kept["sublinear_tf"], kept["binary"]) == expected[weighting]


def test_spelt_out_letters_are_read_unless_they_are_to_be_kept(textclust, tmp_path):
    texts = {
        str(i): f'Caf&eacute; Schr\\"odinger &lt;b&gt;{word}&lt;/b&gt;'
        for i, word in enumerate(("moon", "sun", "moon sun", "star"))
    }
    folder = write_files(tmp_path / "texts", texts)
    every, spelt = ("--max-df", 1, "--min-df", 1), {"lt", "eacute", "odinger"}
    assert not spelt & vocabulary(textclust, folder, *every)
    kept = ("--entities", "keep", "--latex", "keep")
    assert spelt <= vocabulary(textclust, folder, *every, *kept)


def test_rare_and_frequent_terms_can_be_left_out(textclust, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    assert "kneads" not in vocabulary(textclust, folder)
    assert {"knead", "moon", "salt"} <= vocabulary(textclust, folder, "--min-df", 1)
    assert vocabulary(textclust, folder, "--min-df", 4) == {"moon", "bike"}
    few = vocabulary(textclust, folder, "--max-df", 0.25)
    assert not few & {"moon", "bike"}
    assert "salt" in few


MESSAGE = """From: ann@example.org
Subject: wheels
Organization: zebra institute
Newsgroups: alt.gnu

The {0} turns.
> a quoted koala

-- 
walrus street
"""  # noqa: W291  the mark of a signature ends in a space
MESSAGES = {
    "1": MESSAGE.format("wheel"),
    "2": MESSAGE.format("moon"),
    "3": "A moon <i class='giraffe'>in</i> the sky\n",
    "4": "<html><body class='ostrich'><p>A wheel in the house</p></body></html>\n",
    "5": "A moon above a wheel\n",
}


@pytest.mark.parametrize(
    ("options", "there", "gone"),
    [
        ((), {"koala"}, {"zebra", "walrus", "ostrich", "giraffe"}),
        (("--headers", "keep"), {"zebra", "wheels", "institute"}, {"walrus"}),
        (("--headers", "strip"), {"wheels"}, {"zebra"}),
        (("--signatures", "keep"), {"walrus", "street"}, {"zebra"}),
        (("--quotes", "strip"), {"moon"}, {"koala", "quoted"}),
        (("--quotes", "keep"), {"koala"}, set()),
        (("--html", "strip"), {"koala"}, {"giraffe", "ostrich", "class"}),
        (("--html", "keep"), {"ostrich", "giraffe", "class"}, set()),
    ],
)
def test_what_is_cleaned_away_can_be_chosen(textclust, tmp_path, options, there, gone):
    found = vocabulary(textclust, write_files(tmp_path / "texts", MESSAGES), *options)
    assert found >= there
    assert not found & gone
    assert "gnu" not in found  # the group gives the answer away and never counts


# Vectors


@pytest.fixture
def vectors(tmp_path):
    """Made-up embeddings that put bread and moon together."""
    rng = np.random.default_rng(0)
    kinds = np.array([[1.0, 0.0, 0.0] if n.startswith("bi") else [0.0, 1.0, 0.0] for n in TEXTS])
    path = tmp_path / "vectors.npy"
    np.save(path, kinds + rng.normal(scale=0.05, size=kinds.shape))
    return path


def test_vectors_decide_and_the_texts_give_the_names(textclust, corpus, vectors, tmp_path):
    out = tmp_path / "out"
    answer = textclust("cluster", corpus, "--k", 2, "--vectors", vectors, "--out", out, "--json")
    content = answer.json
    assert partition(content["labels"]) == [BY_FOLDER[0], BY_FOLDER[1] + BY_FOLDER[2]]
    assert set(content["clusters"][1]["name"].split(", ")) <= BICYCLES
    assert "sha256" in content["settings"]["vectors"]
    assert textclust("explain", out, "bread/1").code == 0


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64"])
def test_vectors_may_be_of_any_number_type(textclust, corpus, tmp_path, dtype):
    table = np.array([[9, 1, 1] if name.startswith("bi") else [1, 9, 1] for name in TEXTS])
    np.save(tmp_path / "vectors.npy", table.astype(dtype))
    answer = textclust("cluster", corpus, "--k", 2, "--vectors", tmp_path / "vectors.npy", "--json")
    assert partition(answer.json["labels"]) == [BY_FOLDER[0], BY_FOLDER[1] + BY_FOLDER[2]]
