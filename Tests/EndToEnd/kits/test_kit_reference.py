"""docs/kits.md, which is made from the sources of both kits, names all that is public in them."""

import importlib
import inspect
import json
import pathlib
import re
import runpy
import subprocess

import playwright
import pytest

from footbridge_process import PROJECT

KITS = PROJECT / "web" / "testing"
NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
PAGE = PROJECT / "docs" / "kits.md"


@pytest.fixture(scope="module")
def named():
    """All names that the page has in code."""
    return {name for text in re.findall(r"`([^`]+)`", PAGE.read_text()) for name in re.findall(r"[A-Za-z_]\w*", text)} | set(
        re.findall(r"^### (\w+)", PAGE.read_text(), re.MULTILINE)
    )


def test_the_reference_is_as_the_sources_of_the_kits_say():
    reference = runpy.run_path(str(PROJECT / "scripts" / "make-kit-reference"))["reference"]
    assert PAGE.read_text() == reference(), "make kit-reference writes the page again"


@pytest.mark.parametrize("module", ["pytest_footbridge", "pytest_footbridge.handler"])
def test_each_public_name_of_the_python_kit_is_in_the_reference(named, module, monkeypatch):
    monkeypatch.syspath_prepend(KITS)
    module = importlib.import_module(module)
    public = getattr(module, "__all__", None) or [name for name, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
    members = {
        member for name in public if inspect.isclass(getattr(module, name)) and not issubclass(getattr(module, name), dict)
        for member, value in inspect.getmembers(getattr(module, name)) if not member.startswith("_") and (callable(value) or isinstance(value, property))
    }
    assert {*public, *members} - {*dir(Exception), "page_type"} - named == set()


def test_each_public_name_of_the_javascript_kit_is_in_the_reference(named):
    program = """
        const kit = await import(process.argv[1]);
        const names = new Set();
        for (const [name, value] of Object.entries(kit)) {
          names.add(name);
          if (typeof value !== "function" || !/^class/.test(String(value))) continue;
          for (let type = value; type?.prototype && type !== Error; type = Object.getPrototypeOf(type))
            for (const member of Object.getOwnPropertyNames(type.prototype)) names.add(member);
        }
        console.log(JSON.stringify([...names]));
    """
    ran = subprocess.run([NODE, "--input-type=module", "--eval", program, KITS / "footbridge.mjs"], capture_output=True, text=True, check=True)
    names = {name for name in json.loads(ran.stdout) if name not in ("constructor", "toString")}
    assert len(names) > 100
    assert names - named == set()
