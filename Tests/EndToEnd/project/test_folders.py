"""What CONTRIBUTING.md says of the layout: the folders of a module use each other in the order that it gives, as the compiler keeps only modules
apart, and an option is in one file."""

import re

import pytest

from footbridge_process import PROJECT

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|final|nonisolated|indirect)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)",
    re.MULTILINE)

SOURCES = PROJECT / "Sources"
# The folder of each library in `Sources`.
FOLDERS = dict(re.findall(r'module\(\s*"(\w+)", in: "([^"]+)"', (PROJECT / "Package.swift").read_text()))
# The tables of folders, by module. A new table is checked, too.
TABLES = dict(re.findall(
    r"^\| folder of `(\w+)` \| what it holds \|\n\|---\|---\|\n((?:\|.*\n)+)", (PROJECT / "CONTRIBUTING.md").read_text(), re.MULTILINE))


def order(table):
    """Returns the place of each folder in a table. Folders that may use each other have the same place."""
    places = {}
    for line in table.splitlines():
        names = re.findall(r"`([^`]*)`", line.split("|")[1])
        for name in names:
            places[name] = places[names[0]] if "use each other" in line and name != names[0] else len(places)
    return places


def code(file):
    """Returns the code of a file, without comments and without texts, but with what texts interpolate."""
    text = re.sub(r"//[^\n]*", "", file.read_text())
    text = re.sub(r'#*"""(.*?)"""#*', "", text, flags=re.DOTALL)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda match: " ".join(re.findall(r"\\\((.*?)\)", match[0])), text)


def test_the_order_of_these_modules_is_given():
    assert {
        "BridgeCore", "WebServer", "Sessions", "BridgeServer", "Cluster", "SiteServer", "OnsideKit", "Today", "Footbridge", "ControlClient",
        "FootbridgeCommand",
    } <= TABLES.keys()


@pytest.mark.parametrize("module", TABLES)
def test_a_folder_uses_only_the_folders_before_it(module):
    sources = SOURCES / FOLDERS.get(module, f"Command/{module}")
    places = order(TABLES[module])
    folders = {folder.name for folder in sources.iterdir() if folder.is_dir() and folder.suffix != ".docc"}
    assert folders == set(places), "CONTRIBUTING.md has other folders"
    files = {file: code(file) for file in sources.rglob("*.swift")}
    place = {file: places.get(file.relative_to(sources).parts[0], -1) for file in files}
    owners = {name: file for file, text in files.items() for name in DECLARATION.findall(text)}
    upwards = [
        f"{file.relative_to(sources)} uses {name} of {owners[name].relative_to(sources)}"
        for file, text in files.items()
        for name in sorted(set(re.findall(r"\b[A-Z]\w+", text)) & owners.keys())
        if place[owners[name]] > place[file]
    ]
    assert upwards == []


def test_the_places_that_contributing_names_are_there():
    layout = (PROJECT / "CONTRIBUTING.md").read_text().split("## Layout\n")[1].split("\n## ")[0]
    places = re.findall(r"`((?:Sources|web|Tests)/[^`]+)`", layout)
    assert len(places) > 15
    assert [place for place in places if not (PROJECT / place).exists()] == []


# The command itself reads these files and the log's level; a scenario is looked up among those of the file.
READ_WITH_ALL_SOURCES = {"config", "import", "catalog", "logLevel", "scenario"}


def test_an_option_is_declared_and_read_in_one_file():
    files = {file: file.read_text() for file in SOURCES.rglob("*.swift")}
    declared = {name: file.name for file, text in files.items() for name in re.findall(r"static let `?(\w+)`? = ServerOption\(", text)}
    assert len(declared) > 40
    elsewhere = []
    for name, place in declared.items():
        readers = {file.name for file, text in files.items() if re.search(rf"\bvalues(?:\[|\.\w+\()\.{name}\b|\(\.{name}, values\)", text)}
        if readers != (set() if name in READ_WITH_ALL_SOURCES else {place}):
            elsewhere.append(f"{name} of {place} is read in {sorted(readers)}")
    assert elsewhere == []
