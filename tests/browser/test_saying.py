"""Say: move, merge, split, new, rename, lock, seed, link, discard; by mouse and by key."""

from __future__ import annotations

from playwright.sync_api import expect


def dots_of(screen, cluster, n):
    """Rows of a cluster whose dots stand apart."""
    labels = screen.labels
    return [row for row in screen.clear_dots(225) if labels[row] == cluster][:n]


def members(screen, cluster):
    return [row for row, label in enumerate(screen.labels) if label == cluster]


def test_lasso_with_the_mouse_then_move_by_digit(screen):
    [row] = dots_of(screen, 2, 1)
    screen.lasso(row, 60)
    rows = screen.selected
    assert row in rows
    expect(screen.page.locator("#selection")).to_contain_text(f"{len(rows)} document")
    screen.lists(rows)
    expect(screen.command("lasso")).to_have_attribute("aria-pressed", "false")
    with screen.acting():
        screen.press("1")
    assert {screen.labels[each] for each in rows} == {1}
    expect(screen.page.locator("#status")).to_contain_text("Moved")
    assert screen.server.state["labels"] == screen.labels


def test_shift_draws_a_lasso_too_and_escape_ends_one(screen):
    [row] = dots_of(screen, 2, 1)
    x, y = screen.place(row)
    screen.page.keyboard.down("Shift")
    screen.drag((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))
    screen.page.keyboard.up("Shift")
    assert screen.selected == [row]
    screen.press("l", "Escape")
    assert screen.store("lasso") is False
    assert screen.selected == [row]


def test_a_carried_selection_is_dropped_on_a_cluster(screen):
    [row] = dots_of(screen, 3, 1)
    screen.lasso(row, 9)
    target = screen.page.locator('#clusters [data-cluster="1"]').bounding_box()
    with screen.acting():
        screen.drag(screen.place(row), (target["x"] + 40, target["y"] + 10))
    assert screen.labels[row] == 1


def test_drag_from_the_list_onto_a_cluster(screen):
    row = screen.labels.index(1)
    screen.pick(1)
    screen.lists(members(screen, 1))
    with screen.acting():
        screen.page.locator(f'#documents [data-row="{row}"]').drag_to(
            screen.page.locator('#clusters [data-cluster="3"]')
        )
    # the whole cluster is selected, and a drag of one of them carries all
    assert 1 not in screen.labels
    with screen.acting():
        screen.press("Control+z")
    screen.press("Escape")
    screen.lists(list(range(100)))
    with screen.acting():
        screen.page.locator(f'#documents [data-row="{row}"]').drag_to(
            screen.page.locator('#clusters [data-cluster="3"]')
        )
    assert screen.selected == [row]
    assert screen.labels[row] == 3


def test_move_by_the_chooser(screen):
    name = screen.server.state["clusters"][1]["name"]
    row = screen.labels.index(1)
    screen.pick(1)
    screen.page.locator(f'#documents [data-row="{row}"]').click()
    screen.press("v")
    screen.page.locator("#chooser-field").fill(name.split(",")[0])
    expect(screen.page.locator("#chooser [role=option]")).to_have_count(1)
    with screen.acting():
        screen.press("Enter")
    assert screen.labels[row] == 2


def test_merge_with_a_member_left_out(screen):
    screen.pick(1, 2)
    screen.press("g")
    dialog = screen.page.locator("dialog#merge")
    expect(dialog).to_be_visible()
    out = dialog.locator("fieldset").nth(2).locator("input[type=checkbox]").first
    row = int(out.get_attribute("value"))
    before = screen.labels
    out.check()
    dialog.locator("input[type=radio][value='1']").check()
    with screen.acting():
        dialog.locator("[data-accept=merge]").click()
    after = screen.labels
    assert after[row] == before[row] == 2
    assert all(
        now == (1 if then == 2 and each != row else then)
        for each, (then, now) in enumerate(zip(before, after, strict=True))
    )


def test_split_by_proposal(screen):
    screen.pick(3)
    screen.press("s")
    dialog = screen.page.locator("dialog#split")
    expect(dialog).to_contain_text("As proposed")
    wanted = screen.server.get("split", cluster=3)["rows"]
    screen.page.locator("#split-name").fill("the other half")
    with screen.acting():
        screen.press("Enter")
    assert members(screen, 4) == wanted
    expect(screen.page.locator('#clusters [data-cluster="4"]')).to_contain_text("the other half")


def test_split_by_lasso(screen):
    [row] = dots_of(screen, 1, 1)
    screen.lasso(row, 40)
    rows = [each for each in screen.selected if screen.labels[each] == 1]
    strangers = set(screen.selected) - set(rows)
    for stranger in strangers:
        screen.tick(stranger)
    screen.run("split")
    expect(screen.page.locator("dialog#split")).to_contain_text("selected: they become a cluster")
    with screen.acting():
        screen.page.locator("[data-accept=split]").click()
    assert members(screen, 4) == rows


def test_a_new_cluster_of_what_was_found(screen):
    screen.page.locator("#search").fill("telescope")
    expect(screen.page.locator("#list-title")).to_contain_text("found")
    screen.run("select-listed")
    rows = screen.selected
    screen.press("c")
    screen.page.locator("#form-field").fill("telescopes")
    with screen.acting():
        screen.press("Enter")
    assert members(screen, 4) == rows
    assert screen.server.state["clusters"][3]["named"] == "user"


def test_rename_and_back_to_the_terms(screen):
    before = screen.server.state["clusters"][0]["name"]
    name = screen.page.locator('#clusters [data-cluster="1"] .cluster-name')
    screen.pick(1)
    for text, shown in (("pictures & <b>light</b>", "pictures & <b>light</b>"), ("", before)):
        screen.press("F2")
        screen.page.locator("#form-field").fill(text)
        with screen.acting():
            screen.press("Enter")
        expect(name).to_have_text(shown)


def test_a_lock_keeps_its_documents_at_a_refit(screen):
    labels = screen.labels
    # move many of cluster 2 into 1, so that a refit has something to do, and lock 1
    moved = [row for row, label in enumerate(labels) if label == 2][:20]
    screen.server.act("move", documents=[screen.server.ids[row] for row in moved], cluster=3)
    screen.wait("window.textclust.store.get('state').undo !== null")
    screen.pick(1)
    with screen.acting():
        screen.press("x")
    expect(screen.page.locator('#clusters [data-cluster="1"]')).to_contain_text("locked")
    expect(screen.command("lock")).to_have_attribute("aria-pressed", "true")
    with screen.acting():
        screen.run("refit")
    held = [row for row, label in enumerate(labels) if label == 1]
    assert {screen.labels[row] for row in held} == {1}
    assert screen.labels != labels
    with screen.acting():
        screen.press("x")
    expect(screen.page.locator('#clusters [data-cluster="1"]')).not_to_contain_text("locked")


def test_seeds(screen):
    screen.tick(0, 1)
    with screen.acting():
        screen.press("e")
    assert screen.server.state["seeds"] == [0, 1]
    expect(screen.command("seed")).to_have_attribute("aria-pressed", "true")
    expect(screen.page.locator('#documents [data-row="0"]')).to_contain_text("seed")
    screen.tick(1)
    with screen.acting():
        screen.press("e")
    assert screen.server.state["seeds"] == [1]


def test_must_link_and_cannot_link(screen):
    screen.tick(0, 1)
    with screen.acting():
        screen.press("m")
    screen.tick(1, 2)
    with screen.acting():
        screen.run("cannot-link")
    links = screen.server.state["links"]
    assert [(each["left"], each["right"], each["kind"]) for each in links] == [
        (0, 1, "must-link"),
        (0, 2, "cannot-link"),
    ]
    screen.page.locator('#documents [data-row="0"] .entry').click()
    dropped = screen.page.locator("#reader li", has_text="cannot-link")
    with screen.acting():
        dropped.get_by_role("button", name="Drop the link").click()
    assert len(screen.server.state["links"]) == 1


def test_a_contradiction_is_shown_and_repaired(screen):
    for pair, key in (((0, 1), "m"), ((1, 2), "m"), ((0, 2), "h")):
        screen.press("Escape")
        screen.tick(*pair)
        with screen.acting():
            screen.press(key)
    assert screen.server.state["conflicts"]
    screen.page.locator("#tab-preview").click()
    repair = screen.page.locator("[data-repair]").first
    expect(repair).to_be_visible()
    with screen.acting():
        repair.click()
    assert screen.server.state["conflicts"] == []


def test_discard_and_restore(screen):
    before = screen.labels
    screen.tick(4, 9)
    with screen.acting():
        screen.press("Delete")
    assert screen.server.state["discarded"] == [4, 9]
    screen.pick(0)
    screen.lists([4, 9])
    with screen.acting():
        screen.press("u")
    assert screen.labels == before
    expect(screen.page.locator("#clusters [data-cluster]")).to_have_count(3)


def test_what_cannot_be_is_said_and_not_done(screen):
    before = screen.version
    for key, said in (
        ("g", "two or more clusters"),
        ("m", "exactly two"),
        ("e", "documents first"),
    ):
        screen.press(key)
        expect(screen.page.locator("#error")).to_contain_text(said)
    assert screen.version == before


def test_undo_five_and_redo(screen):
    start = screen.server.state
    screen.tick(0)
    for keys in (["2"], ["3"], ["e"], ["Delete"]):
        with screen.acting():
            screen.press(*keys)
    screen.pick(1)
    with screen.acting():
        screen.press("x")
    done = screen.server.state
    for _ in range(5):
        with screen.acting():
            screen.press("Control+z")
    undone = screen.server.state
    same = ("labels", "clusters", "seeds", "discarded", "links", "x", "y")
    assert {key: undone[key] for key in same} == {key: start[key] for key in same}
    expect(screen.command("undo")).to_have_attribute("aria-disabled", "true")
    screen.page.locator("#tab-history").click()
    expect(screen.page.locator("#history-redo")).to_contain_text("Undone, can be redone")
    for _ in range(5):
        with screen.acting():
            screen.press("Control+y")
    redone = screen.server.state
    assert {key: redone[key] for key in same} == {key: done[key] for key in same}
    expect(screen.page.locator("#history-list li")).to_have_count(6)


def test_another_page_hears_of_it(screen, opened):
    other = opened(screen.server)
    screen.tick(0)
    with screen.acting():
        screen.press("2")
    other.wait(f"window.textclust.store.get('state').version === {screen.version}")
    assert other.labels == screen.labels
