"""The modules of web/ have an order: none of them imports itself by way of others. `ModuleOrderTests.swift` tests the files that the server joins."""

import ast
import graphlib
import re

import pytest

from footbridge_process import PROJECT

WEB = PROJECT / "web"
KIT = WEB / "testing" / "pytest_footbridge"


def python_imports(path):
    """Returns the files of the kit that a file imports, also those that it imports for types only."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
        names = [folder / alias.name for alias in node.names] + [folder]
        found |= {each for name in names for each in (name.with_suffix(".py"), name / "__init__.py") if each.exists()}
    return found - {path}


def script_imports(path):
    return {(path.parent / name).resolve() for name in re.findall(r'^(?:import|export) [^;]*?"(\.[^"]+)";', path.read_text(), re.MULTILINE)}


@pytest.mark.parametrize("imports, files", [
    (python_imports, sorted(KIT.rglob("*.py"))),
    (script_imports, sorted((WEB / "testing").rglob("*.mjs"))),
], ids=["pytest", "JavaScript"])
def test_no_files_of_a_kit_import_each_other_in_a_circle(imports, files):
    graph = {str(path.relative_to(WEB)): {str(each.relative_to(WEB)) for each in imports(path)} for path in files}
    assert sum(map(len, graph.values())) > len(files) / 2
    try:
        list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_name_of_a_joined_script_hides_one_of_the_browser(page):
    """All files of a script have one scope. A file that uses the browser's `open` must not get another file's."""
    folders = ("shim", "sheets", "lint", "bridges", "proxy")
    declarations = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (?:(\w+)|[\[{]([^=]*)[\]}] =)", re.MULTILINE)
    owners = {}
    for path in sorted(path for folder in folders for path in (WEB / folder).rglob("*.js") if "pane" not in str(path)):
        for name, names in declarations.findall(path.read_text()):
            for each in [name, *(part.split(":")[-1].strip() for part in names.split(","))]:
                owners.setdefault(each, path.relative_to(WEB))
    owners.pop("", None)
    hidden = page.evaluate("names => names.filter(name => name in window)", list(owners))
    assert {name: str(owners[name]) for name in hidden} == {}
