"""textclust cluster with seeds and constraints: files in, clusters out, and what became of them."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

SEEDS = ["rec.bicycles/10204", "rec.photo/20331", "sci.astro/30133"]


@pytest.fixture
def table(tmp_path):
    def write(name, header, *rows):
        path = tmp_path / name
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return str(path)

    return write


def test_seeds_stay_in_the_cluster_of_their_class(textclust, sample, table, tmp_path):
    seeds = table("seeds.csv", "id,label", *(f"{s},{s.split('/')[0]}" for s in SEEDS))
    done = textclust("cluster", sample, "--k", 3, "--seeds", seeds, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert "3 of 3 labelled documents in the cluster of their class (0 is rec.bicycles" in done.out
    with open(tmp_path / "out" / "labels.csv", newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [rows[s]["cluster"] for s in SEEDS] == ["0", "1", "2"]
    assert "What became of your supervision" in (tmp_path / "out" / "report.html").read_text()


def test_clusters_that_seeds_name_carry_the_name_everywhere(textclust, sample, table, tmp_path):
    seeds = table("seeds.csv", "id,label", f"{SEEDS[0]},two wheels", f"{SEEDS[2]},the sky")
    out = tmp_path / "out"
    for options in ([], ["--method", "hmrf"]):
        done = textclust("cluster", sample, "--k", 3, "--seeds", seeds, "--out", out, *options)
        assert done.code == 0, done.err
        assert "two wheels" in done.out
        with open(out / "labels.csv", newline="", encoding="utf-8") as file:
            rows = {row["id"]: row for row in csv.DictReader(file)}
        assert [rows[s]["name"] for s in (SEEDS[0], SEEDS[2])] == ["two wheels", "the sky"]
        content = json.loads((out / "clusters.json").read_text("utf-8"))
        names = {cluster["name"] for cluster in content["clusters"]}
        assert {"two wheels", "the sky"} < names
        assert "two wheels" in (out / "report.html").read_text("utf-8")


def test_agreement_is_computed_on_documents_without_supervision(textclust, sample, table):
    import textclust as tc

    given = [path for path in tc.read_documents(sample).ids if path[-1] in "02468"]
    seeds = {name: name.split("/")[0] for name in given}
    r = tc.cluster(sample, 3, seeds=seeds)
    rest = [row for row, name in enumerate(r.ids) if name not in seeds]
    truth = [r.ids[row].split("/")[0] for row in rest]
    assert r.agreement()["nmi"] == tc.metrics.nmi(truth, r.labels[rest])
    assert r.agreement()["documents"] == len(rest)
    file = table("seeds.csv", "id,label", *(f"{name},{label}" for name, label in seeds.items()))
    done = textclust("cluster", sample, "--k", 3, "--seeds", file)
    assert f"({len(rest)} documents without supervision)" in done.out
    everything = {name: name.split("/")[0] for name in r.ids}
    assert tc.cluster(sample, 3, seeds=everything).agreement() is None


def test_the_outcome_says_what_was_overruled_and_how_much_moved(sample):
    import textclust as tc

    free = tc.cluster(sample, 3)
    one = [int(row) for row in (free.labels == 0).nonzero()[0][:2]]
    other = int((free.labels == 1).nonzero()[0][0])
    wrong = tc.Constraints(must_link=[(one[0], other)], cannot_link=[(one[0], one[1])])
    r = tc.cluster(sample, 3, constraints=wrong.times([1e-6, 1e-6]))
    assert r.outcome.moved == 0
    assert {link.kind for _, _, link in r.outcome.overruled_links} == {"must-link", "cannot-link"}
    assert "2 of 2 links overruled" in r.outcome.sentences()[0]
    assert free.ids[other] in r.outcome.sentences()[0]
    held = tc.cluster(sample, 3, constraints=wrong.times([1e6, 1e6]))
    assert held.outcome.overruled_links == ()
    assert held.outcome.moved == 1
    assert held.outcome.sentences()[-1] == "What you gave moved 1 document"
    assert not tc.cluster(sample, 3).outcome


def test_broken_links_are_shown_everywhere_with_their_price(textclust, sample, table, tmp_path):
    pairs = table(
        "pairs.csv",
        "left,right,kind,weight",
        f"{SEEDS[0]},{SEEDS[1]},cannot-link,",
        f"{SEEDS[0]},{SEEDS[2]},must-link,0.001",
    )
    out = tmp_path / "out"
    done = textclust("cluster", sample, "--k", 3, "--constraints", pairs, "--out", out)
    assert done.code == 0, done.err
    assert f"1 of 2 links overruled: {SEEDS[0]} and {SEEDS[2]} (must-link)" in done.out
    content = json.loads((out / "clusters.json").read_text("utf-8"))
    assert content["settings"]["method"] == "guided"
    (broken,) = content["constraints"]["violated"]
    assert (broken["left"], broken["right"], broken["kind"]) == (SEEDS[0], SEEDS[2], "must-link")
    why = textclust("explain", out, SEEDS[0])
    assert "links of this document" in why.out
    assert "broken" in why.out
    assert "kept" in why.out
    why = json.loads(textclust("explain", out, SEEDS[0], "--json").out)
    assert [push["kept"] for push in why["pushes"]] == [False, True]  # must-links come first


def test_seeds_and_links_together(textclust, posts, table):
    seeds = table("seeds.csv", "id,label", *(f"{s},{s.split('/')[0]}" for s in SEEDS))
    pairs = table("pairs.csv", "left,right,kind", f"{SEEDS[0]},rec.bicycles/10211,must-link")
    done = textclust(
        "cluster", posts, "--k", 3, "--seeds", seeds, "--constraints", pairs, "--inference", "bp"
    )
    assert done.code == 0, done.err
    assert "0 of 1 link overruled" in done.out


def test_links_keep_their_own_prices_beside_those_of_seeds(textclust, sample, table, tmp_path):
    seeds = [*SEEDS, "rec.bicycles/10211", "sci.astro/30118"]
    seeds = table("seeds.csv", "id,label", *(f"{s},{s.split('/')[0]}" for s in seeds))
    rows = [
        f"{SEEDS[0]},{SEEDS[2]},must-link,0.001",
        f"{SEEDS[0]},rec.bicycles/10219,cannot-link,0.0002",
    ]
    pairs = table("pairs.csv", "left,right,kind,weight", *rows)
    options = ["--seeds", seeds, "--constraints", pairs, "--method", "hmrf", "--weight", 100]
    done = textclust("cluster", sample, "--k", 3, *options, "--json")
    violated = json.loads(done.out)["constraints"]["violated"]
    assert [(link["kind"], link["price"]) for link in violated] == [
        ("must-link", pytest.approx(0.1)),
        ("cannot-link", pytest.approx(0.02)),
    ]


def test_a_link_that_contradicts_all_others_is_left_out(textclust, sample, table):
    files = sorted(Path(sample).glob("*/*"))
    names = [f"{file.parent.name}/{file.name}" for file in files]
    cycles = [name for name in names if name.startswith("rec.bicycles")][:9]
    stars = [name for name in names if name.startswith("sci.astro")][:9]
    right = [f"{a},{b},must-link" for group in (cycles, stars) for a, b in combinations(group, 2)]
    pairs = table("pairs.csv", "left,right,kind", *right, f"{cycles[0]},{stars[0]},must-link")
    done = textclust("cluster", sample, "--k", 3, "--constraints", pairs, "--robust")
    assert done.code == 0, done.err
    assert "1 of 73 links overruled" in done.out
    assert "1 link had no effect" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--seeds", "SEEDS", "--method", "kmeans"],
            "'kmeans' takes no seeds; use guided, con",
        ),
        (["--constraints", "PAIRS", "--method", "seeded"], "'seeded' takes no constraints"),
        (["--seeds", "SEEDS", "--k", "1"], "3 classes for 1 clusters; use more clusters"),
        (["--seeds", "nowhere.csv"], "nowhere.csv: cannot be read"),
        (["--seeds", "STRANGE"], "no document has the id 'nobody'"),
        (["--constraints", "BAD"], "textclust check lists them all"),
        (["--weight", "2"], "method 'kmeans' has no option --weight"),
    ],
)
def test_what_does_not_fit_is_reported(textclust, sample, table, options, message):
    files = {
        "SEEDS": table("seeds.csv", "id,label", *(f"{s},{s.split('/')[0]}" for s in SEEDS)),
        "PAIRS": table("pairs.csv", "left,right,kind", f"{SEEDS[0]},{SEEDS[1]},cannot-link"),
        "STRANGE": table("strange.csv", "id,label", "nobody,x"),
        "BAD": table("bad.csv", "left,right,kind", "nobody,x,must-link"),
    }
    given = [files.get(option, option) for option in options]
    done = textclust("cluster", sample, *([] if "--k" in given else ["--k", 3]), *given)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_seeds_as_links_are_counted_where_their_class_is(sample):
    import textclust as tc

    seeds = {s: s.split("/")[0] for s in reversed(SEEDS)}
    r = tc.cluster(sample, 3, seeds=seeds, method="hmrf")
    assert r.outcome.kept_seeds == 3
    placed = {s.split("/")[0]: int(r.labels[r.ids.index(s)]) for s in SEEDS}
    assert placed == r.outcome.cluster_of_class


def test_numbers_are_classes_in_their_order(sample):
    import textclust as tc

    r = tc.cluster(sample, 3, seeds={SEEDS[0]: 10, SEEDS[1]: 2, SEEDS[2]: 1})
    assert r.outcome.classes == ("1", "2", "10")
    assert r.explain(SEEDS[0]).seed == "10"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"constraints": []}, "constraints must be a path or Constraints; got list"),
        ({"constraints": 5}, "constraints must be a path or Constraints; got int"),
        ({"seeds": ["a"]}, "seeds must be"),
        ({"seeds": {SEEDS[0]: -1}}, "seeds has no label"),
        ({"n_clusters": 3}, "the number of clusters is k"),
        ({"method": "hmrf", "weight": float("inf")}, "weight must be a number"),
    ],
)
def test_what_is_no_supervision_is_reported(sample, given, message):
    import textclust as tc

    with pytest.raises(tc.InputError, match=message):
        tc.cluster(sample, 3, **given)


@pytest.mark.parametrize(
    "forged",
    [
        {"links": [[0, True, "must-link", 1.0]], "seeds": [], "classes": []},
        {"links": [[0, 1, "<script>", 1.0]], "seeds": [], "classes": []},
        {"links": [[0, 1, "must-link", "x"]], "seeds": [], "classes": []},
        {"links": [[0, 1, "must-link", -5]], "seeds": [], "classes": []},
        {"links": [[0, 9, "must-link", 1.0]], "seeds": [], "classes": []},
        {"links": [], "seeds": [[1.7, 0]], "classes": ["a"]},
        {"links": [], "seeds": [[1, 3]], "classes": ["a"]},
        {"links": [], "seeds": [[1, 0]], "classes": [7]},
        {"links": [], "seeds": [[1, 0]], "classes": ["a"], "moved": 6},
        {"links": [[0, 1, "must-link", 1.0]], "weights": ["x"], "seeds": [], "classes": []},
        {"links": [[0, 1, "must-link", 1.0]], "weights": [None], "seeds": [], "classes": []},
        {"links": [[0, 1, "must-link", 1.0]], "origins": [[1, 2]], "seeds": [], "classes": []},
    ],
)
def test_forged_evidence_is_refused(forged):
    from textclust.result.supervision_file import outcome_from_dict

    with pytest.raises(ValueError, match="does not fit the documents"):
        outcome_from_dict(forged, list("abcde"), np.zeros(5, dtype=np.intp))


def test_a_model_keeps_what_was_said(sample, tmp_path):
    import textclust as tc

    links = tc.Constraints([(0, 1)], [(0, 100)])
    r = tc.cluster(sample, 3, constraints=links, seeds={SEEDS[0]: "bikes"})
    again = tc.load(r.save(tmp_path / "model"))
    assert again.outcome == r.outcome
    assert [push.kind for push in again.explain(0).pushes] == ["must-link", "cannot-link"]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (["--method", "mpckmeans"], "MPC-KMeans with a learned euclidean metric for all clusters"),
        (["--method", "mkmeans"], "M-KMeans with a learned euclidean metric for all clusters"),
        (["--learn"], "HMRF-KMeans with learned cosine distortion"),
        (["--learn", "--distortion", "kl"], "HMRF-KMeans with learned kl distortion"),
    ],
)
def test_learned_measures_from_end_to_end(textclust, posts, table, tmp_path, options, name):
    pairs = table("pairs.csv", "left,right,kind", f"{SEEDS[0]},{SEEDS[2]},must-link")
    out = tmp_path / "out"
    done = textclust("cluster", posts, "--k", 3, "--constraints", pairs, "--out", out, *options)
    assert done.code == 0, done.err
    assert f"Found by {name}" in (out / "report.html").read_text("utf-8")
    content = json.loads((out / "clusters.json").read_text("utf-8"))
    assert len(content["learned"]["most"]) == 10
    assert textclust("explain", out, SEEDS[0]).code == 0
    placed = textclust("predict", out, posts)
    assert placed.code == 0, placed.err


def test_each_cluster_may_have_a_metric_of_its_own(textclust, posts, table, tmp_path):
    pairs = table("pairs.csv", "left,right,kind", f"{SEEDS[0]},{SEEDS[2]},must-link")
    out = tmp_path / "out"
    options = ("--constraints", pairs, "--method", "mpckmeans", "--metric", "local", "--out", out)
    assert textclust("cluster", posts, "--k", 3, *options).code == 0
    content = json.loads((out / "clusters.json").read_text("utf-8"))
    assert content["settings"]["parameters"]["metric"] == "local"
    assert textclust("predict", out, posts).code == 0


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--metric", "local", "--learn"], {"metric": "local", "learn": True}),
        (["--method", "mpckmeans", "--alpha-min", 0.2, "--alpha-max", 2], {"alpha_max": 2.0}),
        (["--method", "mkmeans", "--alpha-min", 0], {"alpha_min": 0.0}),
        (["--method", "mpckmeans", "--matrix", "full"], {"matrix": "full"}),
    ],
)
def test_options_of_learned_measures_arrive(textclust, posts, table, tmp_path, options, asked):
    pairs = table("pairs.csv", "left,right,kind", f"{SEEDS[0]},{SEEDS[2]},must-link")
    out, vectors = tmp_path / "out", tmp_path / "vectors.npy"
    if "full" in options:
        np.save(vectors, np.random.default_rng(0).normal(size=(42, 4)))
        options = [*options, "--vectors", vectors]
    done = textclust("cluster", posts, "--k", 3, "--constraints", pairs, "--out", out, *options)
    assert done.code == 0, done.err
    content = json.loads((out / "clusters.json").read_text("utf-8"))
    assert asked.items() <= content["settings"]["parameters"].items()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--learn"], "method 'kmeans' has no option --learn"),
        (["--method", "hmrf", "--learn", "--distortion", "euclidean"], "there is MPCKMeans"),
        (["--method", "mpckmeans", "--distortion", "kl"], "distortion must be one of 'euclidean'"),
        (["--method", "mpckmeans", "--alpha-min", 2], "--alpha-min 2 is above --alpha-max 1"),
        (["--method", "mpckmeans", "--matrix", "full"], "--matrix full is for at most 200"),
        (["--method", "hmrf", "--metric", "local"], "set --learn as well"),
    ],
)
def test_what_cannot_be_learned_is_reported(textclust, sample, options, message):
    done = textclust("cluster", sample, "--k", 3, *options)
    assert done.code == 2
    assert message in done.err
