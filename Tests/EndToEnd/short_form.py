"""The short form of the tests, which `make test` runs at each push. `FOOTBRIDGE_SHORT=1` chooses it. Without it, as in `make test-all`, everything runs.

The short form leaves out the checks of `ABOUT`, unless one of the files that they are about has changed. Of the tests of a folder it runs a tenth, chosen by
a seed: the commit's, or `FOOTBRIDGE_TEST_SEED`. So each commit runs another tenth. If something in its `ROOMS` has changed, all run. After a change of more
than `FEW` rooms, or of a file of `SHARED`, a third runs. Of the tests in `LONG` it runs a tenth, and of a test with many cases that open a page a tenth and
at least `CASES`. A test file that has changed runs whole, unless it is in `LONG`. In other engines than Chromium, a tenth of all tests runs but those of
`ENGINES_DIFFER`.

`short_form.py NAME COMMAND …` runs a command for a check of `ABOUT` that is no test file, unless the check is left out.
"""

import fnmatch
import functools
import os
import pathlib
import random
import secrets
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent
PROJECT = TESTS.parents[1]
IS_SHORT = os.environ.get("FOOTBRIDGE_SHORT") == "1"
#: On the main branch itself, the short form compares with the commit before so many others.
COMMITS = 10

FRAMEWORKS = [
    "Tests/EndToEnd/framework_sites.py", "Tests/EndToEnd/*frameworks/*", "Tests/EndToEnd/*ways.py", "docs/frameworks.md",
    "Sources/*HTMLInjection/*", "Sources/*ContentDecoding/*", "Sources/*/Proxy/*", "Sources/*/Documents/*",
]
#: Checks that take long, and patterns of the files that they are about. In a pattern, `*` stands for any text, slashes too.
ABOUT = {
    "test_frameworks.py": FRAMEWORKS,
    "test_large_frameworks.py": FRAMEWORKS,
    "test_live_frameworks.py": FRAMEWORKS,
    "test_site_generators.py": FRAMEWORKS,
    "test_recipes.py": ["Examples/ci/*", "docs/ci.md", "packaging/*", "web/testing/*"],
    "test_runners.py": ["Examples/*", "docs/runners.md", "packaging/kit.py", "web/testing/*"],
    "test_dist.py": ["packaging/*", "web/testing/command.mjs", "web/testing/package.json", "web/testing/core/program.mjs", "Package.swift", "THIRD-PARTY-NOTICES.md"],
    "test_release_binary.py": ["Makefile", "Package.swift", "scripts/separate-debug-information"],
    "test_sanitize.py": ["scripts/sanitize", "scripts/watched"],
    "instructions": [
        "Benchmarks/*instruction*", "Package.swift", "Sources/*BridgeCore/*", "Sources/*BridgeRuntime/*", "Sources/*HTTP1/*", "Sources/*WebServer/*",
        "Sources/*Delivery/*", "Sources/*Sessions/Pages/*", "Sources/*Sessions/Journal/*",
    ],
}
#: The files that all tests are about.
SHARED = [
    "Package.swift", "Sources/Core/BridgeCore/*", "Sources/Core/BridgeRuntime/*", "Sources/Core/Essentials/*", "Tests/EndToEnd/conftest.py",
    "Tests/EndToEnd/footbridge_process.py",
]
#: For each folder of tests, the other files that its tests are about. `project` is about all files.
ROOMS = {
    "bridges/declared": ["Sources/Bridges/Declared/*", "Sources/Seam/*", "web/bridges/declared/*"],
    "bridges/gbg": ["Sources/Bridges/GBG/*", "web/bridges/gbg/*"],
    "bridges/onside": ["Examples/backend/*", "Sources/Bridges/Onside/*", "web/bridges/onside/*"],
    "bridges/today": ["Sources/Bridges/Today/*", "web/bridges/today/*"],
    "cluster": ["Sources/Cluster/*"],
    "command": ["Sources/Command/*"],
    "dashboard": ["web/bridges/*pane*", "web/dashboard/*"],
    "kits": ["Sources/Testing/*", "web/testing/*"],
    "pages": ["Sources/Sessions/*/Pages/*", "Sources/Sessions/Delivery/*"]
    + [f"web/{part}/*" for part in ("device", "evaluation", "launch", "lint", "phone", "shim", "workers")],
    "project": ["*"],
    "server": ["Sources/Server/*", "Sources/Sessions/*"],
    "sheets": ["web/bridges/*sheet*", "web/sheets/*"],
    "site": ["Sources/Core/HTTP1/*", "Sources/Core/WebServer/*", "Sources/Site/*", "web/proxy/*"],
}
#: After a change of so many rooms, all their tests run; after one of more, a third. Each would take a minute or three.
FEW = 2
#: Test files with many long cases, of which a tenth runs.
LONG = [
    "test_chaos.py", "test_exactly_once.py", "test_faults.py", "test_sheet_accessibility.py", "test_sheet_layout.py", "test_sheet_texts.py", "test_soak.py",
]
#: So many cases of each test run. A case that opens a page takes half a second, any other one much less.
CASES = 2
#: The fixtures of tests that open a page.
BROWSERS = {"browser", "caching_browser", "page"}
#: The tests of what is not the same in all engines.
ENGINES_DIFFER = "test_engines.py"


def git(*arguments, folder=PROJECT):
    """Returns what git prints, or None if it fails."""
    try:
        result = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return result.stdout if result.returncode == 0 else None


def base(folder=PROJECT):
    """Returns the commit to compare with: `FOOTBRIDGE_BASE`, or where the branch has left the main branch, or on the main branch the one before
    `COMMITS` others. Returns None if that is unknown, as in a clone without history."""
    if named := os.environ.get("FOOTBRIDGE_BASE"):
        return named
    for candidate in ("origin/main", f"HEAD~{COMMITS}"):
        commit = git("merge-base", "HEAD", candidate, folder=folder)
        if commit and commit != git("rev-parse", "HEAD", folder=folder):
            return commit.strip()
    return None


def changed(folder=PROJECT):
    """Returns the files that have changed since then, and the new ones. Returns None if that is unknown."""
    commit = base(folder)
    differing = commit and git("diff", "--name-only", "--no-renames", commit, folder=folder)
    untracked = git("ls-files", "--others", "--exclude-standard", folder=folder)
    return None if differing is None or untracked is None else [*differing.splitlines(), *untracked.splitlines()]


def matching(pattern, files):
    """Returns the files that fit a pattern."""
    return [file for file in files if fnmatch.fnmatchcase(file, pattern)]


@functools.cache
def left_out():
    """Returns the names of the checks that this run leaves out. Without knowledge of what has changed, these are all."""
    if not IS_SHORT:
        return []
    files = changed() or []
    # A test file is about itself, too.
    return [name for name, patterns in ABOUT.items() if not any(matching(pattern, files) for pattern in [f"*/{name}", *patterns])]


def chosen_seed():
    """Returns the seed of this run: the one that was given, the commit's in the short form, or a random one."""
    if given := os.environ.get("FOOTBRIDGE_TEST_SEED"):
        return int(given)
    commit = IS_SHORT and git("rev-parse", "HEAD")
    return int(commit[:8], 16) if commit else secrets.randbelow(1 << 32)


#: What is random in a run.
SEED = chosen_seed()


def part(cases, seed=SEED, least=1, share=10):
    """Returns the cases to run: all, or in the short form one of `share`, but at least so many."""
    cases = list(cases)
    return random.Random(seed).sample(cases, min(len(cases), max(least, -(-len(cases) // share)))) if IS_SHORT else cases


def folder(item):
    """Returns the folder of a test, as `ROOMS` names it."""
    return item.path.parent.relative_to(TESTS).as_posix()


def shares(files):
    """Returns for each room one of how many of its tests runs after a change of these files."""
    always = {room for room, patterns in ROOMS.items() if "*" in patterns}
    rooms = {room for room, patterns in ROOMS.items() if any(matching(pattern, files) for pattern in patterns)} - always
    is_shared = any(matching(pattern, files) for pattern in SHARED)

    def share(room):
        if room in always or (room in rooms and len(rooms) <= FEW):
            return 1
        return 3 if is_shared or room in rooms else 10

    return {room: share(room) for room in ROOMS}


def without_need(items, files):
    """Returns the tests, as pairs of file and function, that this run leaves out, since what they are about has not changed."""
    tests = {}
    for item in items:
        tests.setdefault(folder(item), {})[item.path.name, item.originalname] = None
    share = shares(files)
    return {test for each in tests.values() for test in each} - {test for room, each in tests.items() for test in part(each, share=share[room])}


def selected(items, engines=("chromium",)):
    """Returns the tests to run in these engines."""
    if not IS_SHORT:
        return list(items)
    is_chromium = list(engines) == ["chromium"]
    files_of_changes = {pathlib.PurePath(file).name for file in changed() or []}
    others = without_need(items, changed() or []) if is_chromium else set()
    files, cases = {}, {}
    chosen = set()
    for item in items:
        name, test = item.path.name, (item.path.name, item.originalname)
        if name in LONG if is_chromium else name != ENGINES_DIFFER:
            files.setdefault(name, []).append(item)
        elif not is_chromium or name in files_of_changes:
            chosen.add(item)
        elif test in others:
            continue
        elif BROWSERS & set(item.fixturenames):
            cases.setdefault(test, []).append(item)
        else:
            chosen.add(item)
    chosen |= {item for each in files.values() for item in part(each)}
    chosen |= {item for each in cases.values() for item in part(each, least=CASES)}
    return [item for item in items if item in chosen]


def summary():
    """Returns what the short form says of itself, in lines."""
    commit = base()
    reason = f"what they are about has not changed since {commit[:8]}" if commit else "there is no history that says what has changed"
    if left_out():
        yield f"Left out, because {reason}: {', '.join(left_out())}. make test-all runs all; FOOTBRIDGE_BASE names another commit to compare with."
    numbers = shares(changed() or [])
    for share, words in {1: "All", 3: "A third"}.items():
        if rooms := [room for room, number in numbers.items() if number == share]:
            yield f"{words} of the tests in {', '.join(rooms)}."
    yield f"A tenth of the other tests, of the long ones, and of the cases that open a page, chosen by the seed {SEED}. FOOTBRIDGE_TEST_SEED={SEED} repeats the choice."


if __name__ == "__main__":
    if sys.argv[1] not in left_out():
        os.execvp(sys.argv[2], sys.argv[2:])
