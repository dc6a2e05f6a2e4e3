"""Names use the words of the field. CONTRIBUTING.md (Words) has the table of what we say and of what we do not say."""

import functools
import pathlib
import re
import subprocess

import pytest

from footbridge_process import PROJECT

#: Words of a language, a library or a protocol.
FOREIGN = ["keep alive", "keeps alive", "keepalive", "upper bound", "lower bound", "memory bound", "deflate bound", "bound port", "with bound"]
#: Names that others use: public declarations, settings and types of the kits. They do not change for the sake of a word.
PUBLIC = {
    "OnsideKit": "goOn onBound unkeptErrorCase",
    "bridges": "unkeptErrorCode stateMayBeKeptAgain formerPageCameBack noteBound bounds "
    "BridgeBeginning BeginningPlace beginningMembers readBeginning readBeginnings beginning beginnings NoBeginning OnsideBeginning TodayBeginning",
    "Footbridge and its settings": "authorityNotKept keep",
    "kits": "usualPatience Patience",
}
ALLOWED = {name for names in PUBLIC.values() for name in names.split()}

FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks", "web", "scripts"]
#: The folders whose names follow the table, wherever they are.
CHECKED = [
    "Benchmarks", "BridgeCore", "BridgeCoreTests", "BridgeRuntime", "BridgeServer", "BridgeServerTests", "Cluster", "ClusterTests",
    "ContentDecoding", "ControlClient", "ControlClientTests", "CookieJar", "CookieJarTests", "Cryptography", "Declared", "Delivery", "EndToEnd",
    "DeliveryTests", "EchoServer", "Essentials", "Examples", "Footbridge", "FootbridgeCommand", "FootbridgeCommandTests",
    "FootbridgeTesting", "FootbridgeTestingTests", "FootbridgeTests", "FourthBridgeTests", "FuzzTests", "GBG", "HTMLInjection",
    "HTMLInjectionTests", "HTTP1", "HTTP1Tests", "InAppPurchases", "InAppPurchasesTests", "ManualTests", "Onside", "OnsideKitTests", "Sessions", "SessionsTests", "SiteServer",
    "SiteServerTests", "Support", "Today", "TodayTests", "WebServer", "WebServerTests", "web",
]
SUFFIXES = {".swift", ".py", ".js", ".mjs", ".ts", ".c", ".h"}
PAGES = sorted([*PROJECT.glob("docs/**/*.md"), *(PROJECT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))])
SECTION = re.compile(r"\n## Words\n.*?(?=\n## )", re.DOTALL)


def table():
    """Returns the words that we do not say, as lists of their parts, each with the place that the table gives."""
    section = SECTION.search((PROJECT / "CONTRIBUTING.md").read_text())[0]
    rows = re.findall(r"^\| [^|`]+ \|([^|]*`[^|]*)\| (\w+) \|$", section, re.MULTILINE)
    return [(parts(word), place) for words, place in rows for word in re.findall(r"`(\w+)`", words)]


def parts(name):
    """Splits a name into its words: `KeptRules`, `kept_rules` and `keptRules` have the same."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


OLD = table()


@functools.cache
def pattern(places):
    """Returns the expression for the words of the table for these places, also with another ending, and denied."""
    words = "|".join(" ".join(old) for old, place in OLD if place in places)
    return re.compile(rf"(?<= )(?:un)?({words})s?(?= )")


def old_words(words, *places):
    """Returns the words of the table for these places that are among some words."""
    text = " ".join(["", *words, ""])
    for foreign in FOREIGN:
        text = text.replace(f" {foreign} ", " ")
    return pattern(places).findall(text)


@functools.cache
def old_words_of_name(name):
    return [] if name in ALLOWED else old_words(parts(name), "everywhere", "names")


@functools.cache
def files():
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return [PROJECT / name for name in listed.split("\0") if pathlib.Path(name).suffix in SUFFIXES and (PROJECT / name).exists()]


def code(file):
    """Returns the code of a file without its comments and texts."""
    text = file.read_text()
    if file.suffix == ".py":
        text = re.sub(r'"""(.*?)"""' + r"|'''(.*?)'''", " ", text, flags=re.DOTALL)
        return re.sub(r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'|#[^\n]*", " ", text)
    text = re.sub(r'#*"""(.*?)"""#*|/\*.*?\*/', " ", text, flags=re.DOTALL)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', " ", text)
    if file.suffix == ".swift":
        return re.sub(r"//[^\n]*|func `[^`]*`", " ", text)
    text = re.sub(r"(?<=[\s(,=:])/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*", " ", text)
    return re.sub(r"'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|//[^\n]*", " ", text, flags=re.DOTALL)


def sentences(file):
    """Returns the names of a file's tests that are sentences."""
    text = file.read_text()
    if file.suffix == ".swift":
        return re.findall(r"func `([^`]*)`", text)
    return re.findall(r'^\s*(?:test|it)\("([^"]*)"', text, re.MULTILINE) if file.name.endswith(".test.mjs") else []


def report(found):
    """Fails if something was found."""
    if found:
        pytest.fail("\n".join(["CONTRIBUTING.md (Words) says what to write instead of these:", *found]), pytrace=False)


def test_the_table_names_what_we_do_not_say():
    assert {"kept", "bound", "patience", "go on"} <= {" ".join(old) for old, _ in OLD}
    assert {place for _, place in OLD} == {"everywhere", "names", "methods"}
    assert old_words(parts("keptRules_unkeptBounds"), "everywhere") == ["kept", "kept", "bound"]


@pytest.mark.parametrize("folder", CHECKED)
def test_names_do_not_have_the_words_that_we_do_not_say(folder):
    found = set()
    inside = [file for file in files() if folder in file.relative_to(PROJECT).parts]
    assert inside, "There is no such folder"
    for file in inside:
        text = code(file)
        for name in {*re.findall(r"[A-Za-z_]\w*", text), file.stem}:
            found |= {f"{file.relative_to(PROJECT)}: {name} ({word})" for word in old_words_of_name(name)}
        for name in re.findall(r"\bfunc (\w+)", text):
            found |= {f"{file.relative_to(PROJECT)}: func {name} ({word})" for word in old_words([name], "methods")}
    report(sorted(found))


def test_sentences_of_tests_do_not_have_the_words_that_we_do_not_say():
    found = [
        f"{file.relative_to(PROJECT)}: {sentence} ({word})"
        for file in files() for sentence in sentences(file) for word in old_words(re.findall(r"\w+", sentence.lower()), "everywhere")
    ]
    report(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_the_manual_does_not_have_the_words_that_we_do_not_say(page):
    found = []
    is_sample = False
    for number, line in enumerate(SECTION.sub(lambda section: "\n" * section[0].count("\n"), page.read_text()).splitlines(), 1):
        is_sample ^= line.startswith("```")
        if is_sample:
            names = re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', " ", line))
            words = [word for name in names if name not in ALLOWED for word in old_words(parts(name), "everywhere")]
        else:
            words = old_words(re.findall(r"\w+", re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line).lower()), "everywhere")
        found += [f"{page.relative_to(PROJECT)}, line {number}: {word}" for word in words]
    report(found)
