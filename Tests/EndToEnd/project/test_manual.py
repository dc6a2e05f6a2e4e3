"""The manual is right about files, options and footbridge.yaml."""

import json
import re
import urllib.parse
import zlib

import pytest

import device_table
from footbridge_process import PROJECT, run

PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("Examples/*/*.md")])


def prose(page):
    """Returns the text of a page without its code."""
    return re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)


def anchors(page):
    """Returns the anchors of a page for links: its headings, in GitHub's form."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_within_the_manual_has_a_target(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = link.partition("#")
        if urllib.parse.urlsplit(link).scheme:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name} links to {link}"


#: The samples that tests run or compare, for each page: the test that reads them, and how many there are. YAML is tested below.
RUN = {
    "ci.md": ("recipes.py", 6),
    "embedding.md": ("test_pytest_kit.py", 9),
    "handlers.md": ("test_handler_libraries.py", 2),
    "lint.md": ("test_pytest_kit.py", 2),
    "merchant-api.md": ("test_merchant_samples.py", 1),
    "onside.md": ("test_sample_page.py", 2),
    "own-bridge.md": ("test_own_bridge.py", 2),
    "runners.md": ("test_playwright_kit.py", 1),
    "sheets.md": ("test_runners.py", 1),
    "site.md": ("test_manual.py", 1),
    "store.md": ("test_store_of_bridges.py", 3),
    "storekit-js.md": ("test_storekit_js.py", 1),
    "testing.md": ("test_pytest_kit.py", 14),
    "wires.md": ("test_own_bridge.py", 1),
}


@pytest.mark.parametrize("page", sorted(PROJECT.glob("docs/**/*.md")), ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_sample_of_the_manual_is_run_or_marked(page):
    """A sample that no test runs has the line `<!-- not run -->` above it. Commands for a shell are not counted."""
    found = re.findall(r"^(.*)\n *```(\w+)\n", page.read_text(), re.MULTILINE)
    samples = [language for above, language in found if language not in ("sh", "yaml") and above.strip() != "<!-- not run -->"]
    test, count = RUN.get(page.name, ("test_manual.py", 0))
    assert len(samples) == count, f"{page.name} has another number of samples: run the new one in {test}, or mark it"
    [file] = (PROJECT / "Tests" / "EndToEnd").rglob(test)
    assert count == 0 or page.name in file.read_text()


def test_the_index_lists_every_page_of_the_manual():
    index = PROJECT / "docs" / "README.md"
    pages = {str(page.relative_to(index.parent)) for page in index.parent.rglob("*.md") if page != index}
    missing = [page for page in sorted(pages) if f"]({page})" not in index.read_text()]
    assert missing == []


def test_the_list_of_options_has_the_options_of_the_command():
    table = (PROJECT / "docs" / "options.md").read_text().split("## ")[0]
    documented = set(re.findall(r"`(--[a-z-]+)", "".join(re.findall(r"^- ((?:`--[^`]*`(?: …)?(?:, )?)+):", table, re.MULTILINE))))
    taken = set(re.findall(r"^  (--[a-z-]+)", run("serve", "--help").stdout, re.MULTILINE))
    assert documented == taken - {"--version", "--help"}


def test_every_environment_variable_of_the_manual_exists():
    named = {name for page in (PROJECT / "docs").rglob("*.md") for name in re.findall(r"FOOTBRIDGE_[A-Z_]*[A-Z]", page.read_text())}
    flags = re.findall(r"^  --([a-z-]+)", run("serve", "--help").stdout, re.MULTILINE)
    of_options = {"FOOTBRIDGE_" + flag.upper().replace("-", "_") for flag in flags}
    of_exec = {"FOOTBRIDGE_URL", "FOOTBRIDGE_EXEC", "FOOTBRIDGE_TLS_URL", "FOOTBRIDGE_TLS_SPKI", "FOOTBRIDGE_BROWSER", "FOOTBRIDGE_BROWSER_FLAGS"}
    assert named <= of_options | of_exec, named - of_options - of_exec


def test_the_table_of_settings_lists_the_settings_of_the_api():
    schemas = json.loads((PROJECT / "web" / "api" / "openapi.json").read_text())["components"]["schemas"]
    table = (PROJECT / "docs" / "configuration.md").read_text().split("\nThe settings:\n\n")[1].split("\n\n")[0]
    documented = set(re.findall(r"^- `(\w+)`", table, re.MULTILINE))
    assert documented == set(schemas["Settings"]["properties"]) - {"calls"}


def test_the_table_of_sheets_lists_what_each_shows():
    rules = PROJECT.joinpath("Sources", "Bridges", "Onside", "Server", "Rules", "OnsideDefinition+Rules.swift").read_text()
    declared = rules.split("sheetMembers = [\n")[1].split("\n  ]\n")[0]
    shown = {kind: set(re.findall(r"\w+", members)) - {"theme"} for kind, members in re.findall(r'"(\w+)": \[(.*?)\]', declared, re.DOTALL)}
    rows = [line.split("|") for line in (PROJECT / "docs" / "sheets.md").read_text().splitlines() if line.startswith("| `")]
    listed = {re.search(r"\w+", row[1])[0]: set(re.findall(r"`(\w+)`", row[5])) for row in rows[1:]}
    listed["priceChange"] = listed["priceChange"] - {"payment"} | listed["payment"]
    del listed["capture"]
    assert listed == shown


def test_the_kits_know_the_settings_of_the_api():
    settings = set(json.loads((PROJECT / "web" / "api" / "openapi.json").read_text())["components"]["schemas"]["Settings"]["properties"])
    python = (PROJECT / "web" / "testing" / "pytest_footbridge" / "bridges" / "onside.py").read_text()
    declared = python.split("class Settings(")[1].split("\nclass ")[0]
    assert set(re.findall(r"^    (\w+): ", declared, re.MULTILINE)) == settings
    javascript = (PROJECT / "web" / "testing" / "bridges" / "onside.mjs").read_text()
    typedef = javascript.split("}} Settings\n")[0].rsplit("@typedef", 1)[1]
    assert set(re.findall(r"(\w+)\?: ", re.sub(r": \{.*?\}", ": ", typedef, flags=re.DOTALL))) == settings


def configurations():
    """Yields each footbridge.yaml that the manual prints, by its page and place. Leaves out single rules."""
    for page in PAGES:
        for index, text in enumerate(re.findall(r"```yaml\n(.*?)```", page.read_text(), flags=re.DOTALL)):
            if not text.startswith("on:"):
                yield pytest.param(text, id=f"{page.relative_to(PROJECT)}-{index}")


PRODUCTS = [
    {"productID": identifier, "type": "Consumable", "displayPrice": "0.99", "referenceName": identifier}
    for identifier in ("com.example.coins", "com.example.pro")
]


def test_the_table_of_the_device_lists_what_its_tests_are_about():
    assert device_table.listed((PROJECT / "docs/device.md").read_text()) == sorted(device_table.features())


@pytest.mark.parametrize("text", list(configurations()))
def test_every_footbridge_yaml_of_the_manual_is_accepted(tmp_path, text):
    if "scenarios:" in text:
        text += "onside: { accounts: [{ id: eva, email: eva@example.com }] }\n"
    if "catalog:" not in text:
        text += "catalog: Products.storekit\n"
    (tmp_path / "footbridge.yaml").write_text(text)
    (tmp_path / "Products.storekit").write_text(json.dumps({"products": PRODUCTS}))
    (tmp_path / "site").mkdir()
    (tmp_path / "icon.png").touch()
    (tmp_path / "bootstrap.js").write_text("footbridge.onmessage = console.log;")
    (tmp_path / "passport.png").write_bytes(PIXEL)
    for script in re.findall(r"[\w./@-]+\.(?:js|py)\b", text):
        (tmp_path / script).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / script).write_text("" if script.endswith(".py") else "void 0;")
    for folder in re.findall(r"folder: (\S+)", text):
        (tmp_path / folder).mkdir()
    result = run("exec", "--config", tmp_path / "footbridge.yaml", "--", "true")
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    assert "in YAML 1.1" not in result.stderr, "the sample has a value that other programs may read differently"


def test_the_catalogue_of_the_manual_is_read_without_a_remark(tmp_path):
    [text] = re.findall(r"```json\n(.*?)```", (PROJECT / "docs" / "site.md").read_text(), re.DOTALL)
    catalogue = tmp_path / "Products.storekit"
    catalogue.write_text(text)
    read = run("catalog", catalogue)
    assert (read.returncode, read.stderr) == (0, "")
    assert [line.split()[:2] for line in read.stdout.splitlines()[1:]] == [
        ["com.example.coins", "Consumable"], ["com.example.pro", "NonConsumable"],
        ["com.example.club.monthly", "RecurringSubscription"], ["com.example.club.yearly", "RecurringSubscription"],
    ]
    assert "introductory 1.99 for each of 3 × P1M" in read.stdout
    (tmp_path / "site").mkdir()
    served = run("exec", "--root", tmp_path / "site", "--catalog", catalogue, "--", "true")
    assert served.returncode == 0, served.stderr
    assert not re.search(r"not used|left out|warning", served.stderr), served.stderr


def chunk(kind, data):
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


#: The smallest image: one grey pixel.
PIXEL = b"\x89PNG\r\n\x1a\n" + b"".join(
    [chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0"), chunk(b"IDAT", zlib.compress(b"\0\0")), chunk(b"IEND", b"")]
)


def test_the_page_of_onside_has_each_function_callback_and_error_of_the_types():
    types = PROJECT.joinpath("web", "bridges", "onside", "types", "onside.d.ts").read_text()
    text = PROJECT.joinpath("docs", "onside.md").read_text()
    bridge = types[types.index("export interface OnsideJSBridge"):]
    names = re.findall(r"^  (\w+)\??\(", bridge, re.M)
    assert len(names) == 22 and [name for name in names if f"`{name}(" not in text] == []
    cases = {name: re.findall(r'"(\w+)"', body) for name, body in re.findall(r"export type (\w+) = OnsideErrorCase<(.*?)>;", types, re.S)}
    for link, function in re.findall(r"Rejects with \{@link (\w+)\}\. \*/\s+(\w+)\(", bridge):
        row = next(line for line in text.splitlines() if line.startswith(f"| `{function}("))
        assert re.findall(r"`(\w+)`", row.split("|")[3]) == cases[link], function


def test_every_python_program_of_the_project_compiles():
    """Some are run by people only."""
    for folder in ("Benchmarks", "Examples", "Tests", "docker", "packaging", "scripts", "web"):
        for file in PROJECT.joinpath(folder).rglob("*"):
            if file.is_file() and (file.suffix == ".py" or file.open("rb").readline().startswith(b"#!/usr/bin/env python")):
                compile(file.read_text(), str(file), "exec")
