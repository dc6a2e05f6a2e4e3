"""What the short form of the tests leaves out, and what it runs."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

import short_form


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a main branch of twelve commits, which is also the origin's. Returns a function that commits a file, and its git."""
    monkeypatch.delenv("FOOTBRIDGE_BASE", raising=False)
    settings = ["-c", "user.name=tests", "-c", "user.email=tests@example.com", "-c", "commit.gpgsign=false"]

    def git(*arguments):
        return subprocess.run(["git", "-C", tmp_path, *settings, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def commit(file):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
        git("add", "--all")
        git("commit", "--quiet", "--message", file)
        return git("rev-parse", "HEAD")

    git("init", "--quiet", "--initial-branch=main")
    commits = [commit(f"Sources/{number}.swift") for number in range(12)]
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    return SimpleNamespace(folder=tmp_path, git=git, commit=commit, commits=commits)


def test_a_branch_is_compared_with_where_it_left_the_main_branch(repository):
    repository.git("checkout", "--quiet", "-b", "mine")
    repository.commit("docs/ci.md")
    (repository.folder / "new.py").touch()
    assert short_form.base(repository.folder) == repository.commits[-1]
    assert short_form.changed(repository.folder) == ["docs/ci.md", "new.py"]


def test_the_main_branch_is_compared_with_its_tenth_commit_before_the_last(repository):
    assert short_form.base(repository.folder) == repository.commits[1]
    assert short_form.changed(repository.folder) == sorted(f"Sources/{number}.swift" for number in range(2, 12))


def test_the_commit_to_compare_with_can_be_named(repository, monkeypatch):
    monkeypatch.setenv("FOOTBRIDGE_BASE", repository.commits[10])
    assert short_form.changed(repository.folder) == ["Sources/11.swift"]


@pytest.mark.parametrize("clone", ["clone --quiet --depth 1 --no-local", "init --quiet"], ids=["a clone without history", "a folder without commits"])
def test_changes_are_unknown_in(repository, tmp_path, clone):
    folder = tmp_path / "other"
    source = [f"file://{repository.folder}"] if clone.startswith("clone") else []
    subprocess.run(["git", *clone.split(), *source, folder], check=True, capture_output=True)
    assert short_form.changed(folder) is None


@pytest.fixture
def is_short(monkeypatch):
    monkeypatch.setattr(short_form, "IS_SHORT", True)
    short_form.left_out.cache_clear()
    yield
    short_form.left_out.cache_clear()


@pytest.mark.parametrize("changed, due", [
    ([], []),
    (None, []),
    (["docs/frameworks.md"], ["test_frameworks.py", "test_large_frameworks.py", "test_live_frameworks.py", "test_site_generators.py"]),
    (["Tests/EndToEnd/project/test_dist.py"], ["test_dist.py"]),
    (["Benchmarks/instructions.json", "README.md"], ["instructions"]),
])
def test_a_check_is_left_out_unless_a_file_that_it_is_about_has_changed(is_short, monkeypatch, changed, due):
    monkeypatch.setattr(short_form, "changed", lambda: changed)
    assert [name for name in short_form.ABOUT if name not in short_form.left_out()] == due


def test_the_whole_tests_leave_out_nothing(is_short, monkeypatch):
    monkeypatch.setattr(short_form, "IS_SHORT", False)
    assert short_form.left_out() == [] and short_form.part(range(30)) == list(range(30))


def test_a_tenth_of_the_cases_runs_and_the_seeds_reach_all(is_short):
    assert short_form.part(range(30), seed=1) == short_form.part(range(30), seed=1)
    chosen = [short_form.part(range(30), seed) for seed in range(200)]
    assert {len(cases) for cases in chosen} == {3}
    assert set().union(*chosen) == set(range(30))
    assert short_form.part("x", seed=1) == ["x"] and short_form.part([], seed=1) == []


class Item:
    """A case of a test, as pytest collects it."""

    def __init__(self, file, test="test_a", fixtures=("page",), folder="bridges/onside"):
        self.path = short_form.TESTS / folder / file
        self.originalname = test
        self.fixturenames = fixtures


def test_in_other_engines_a_tenth_of_each_file_runs_and_all_that_engines_do_differently(is_short):
    items = [Item(name) for name in ("test_onside.py", short_form.ENGINES_DIFFER) for _ in range(30)]
    chosen = [item.path.name for item in short_form.selected(items, ["webkit", "firefox"])]
    assert (chosen.count("test_onside.py"), chosen.count(short_form.ENGINES_DIFFER)) == (3, 30)


ONSIDE, GBG, SITE, SHARED = "Sources/Bridges/Onside/OnsideKit/Queue.swift", "Sources/Bridges/GBG/Wire.swift", "Sources/Site/Proxy.swift", "Sources/Core/BridgeCore/JSON.swift"


@pytest.mark.parametrize("changed, count", [
    ([ONSIDE], 30), ([ONSIDE, GBG], 30), ([ONSIDE, SHARED], 30), ([ONSIDE, GBG, SITE], 10), ([SHARED], 10), ([GBG], 3), (None, 3),
], ids=["its room", "two rooms", "its room and what is shared", "three rooms", "what is shared", "another room", "unknown"])
def test_how_many_of_30_tests_run_after_a_change_of(is_short, monkeypatch, changed, count):
    monkeypatch.setattr(short_form, "changed", lambda: changed)
    items = [Item(f"test_{number % 3}.py", f"test_{number}", fixtures=()) for number in range(30)]
    assert len(short_form.selected(items)) == count


def test_a_test_file_that_has_changed_runs_whole(is_short, monkeypatch):
    monkeypatch.setattr(short_form, "changed", lambda: ["Tests/EndToEnd/bridges/onside/test_onside.py"])
    items = [Item("test_onside.py", f"test_{number}") for number in range(30)]
    assert short_form.selected(items) == items


def test_all_cases_of_a_test_without_a_page_run(is_short, monkeypatch):
    monkeypatch.setattr(short_form, "changed", lambda: [])
    chosen = short_form.selected([Item("test_onside.py", f"test_{number}", fixtures=()) for number in range(10) for _ in range(20)])
    assert len(chosen) == 20 and len({item.originalname for item in chosen}) == 1


def test_of_the_cases_that_open_a_page_a_tenth_runs_and_at_least_two(is_short, monkeypatch):
    monkeypatch.setattr(short_form, "changed", lambda: ["Sources/Bridges/Onside/OnsideKit/Queue.swift", "Tests/EndToEnd/bridges/gbg/test_gbg.py"])
    counts = {("test_onside.py", "test_of_one_case"): 1, ("test_onside.py", "test_of_few_cases"): 5, ("test_onside.py", "test_of_many_cases"): 40}
    items = [Item(*test) for test, count in counts.items() for _ in range(count)]
    without_page = [Item("test_options.py", fixtures=("tmp_path",)) for _ in range(30)]
    in_a_changed_file = [Item("test_gbg.py") for _ in range(30)]
    chosen = short_form.selected([*items, *without_page, *in_a_changed_file])
    assert {test: len([item for item in chosen if (item.path.name, item.originalname) == test]) for test in counts} == dict(zip(counts, [1, 2, 4]))
    assert set(chosen) >= {*without_page, *in_a_changed_file}
    monkeypatch.setattr(short_form, "IS_SHORT", False)
    assert short_form.selected(items) == items


def test_every_file_and_every_pattern_of_the_lists_exists():
    patterns = {pattern for patterns in [short_form.SHARED, *short_form.ABOUT.values(), *short_form.ROOMS.values()] for pattern in patterns} - {"*"}
    patterns |= {f"Tests/EndToEnd/*{name}" for name in [*short_form.ABOUT, *short_form.LONG, short_form.ENGINES_DIFFER] if name != "instructions"}
    tops = [short_form.PROJECT / pattern.split("/")[0] for pattern in patterns]
    files = [str(file.relative_to(short_form.PROJECT)) for top in set(tops) for file in ([top] if top.is_file() else top.rglob("*"))]
    assert [pattern for pattern in sorted(patterns) if not short_form.matching(pattern, files)] == []


def test_a_command_runs_unless_its_check_is_left_out():
    run = [sys.executable, short_form.__file__, "instructions", "sh", "-c", "echo ran; exit 3"]
    result = subprocess.run(run, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert (result.returncode, result.stdout) == (3, "ran\n")
    result = subprocess.run(run, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "FOOTBRIDGE_SHORT": "1", "FOOTBRIDGE_BASE": "unknown"})
    assert (result.returncode, result.stdout) == (0, "")


def test_every_folder_of_tests_has_a_room():
    folders = {file.parent.relative_to(short_form.TESTS).as_posix() for file in short_form.TESTS.rglob("test_*.py")}
    assert folders == set(short_form.ROOMS)
