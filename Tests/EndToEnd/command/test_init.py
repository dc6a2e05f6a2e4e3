"""`footbridge init` finds the bridges of a page, writes footbridge.yaml and a first test, and serves the site."""

import os
import pty
import re
import subprocess

import pytest
import yaml

from footbridge_process import BUILD, run
from test_pytest_kit import EXAMPLE, run_pytest

PROGRAM = str(BUILD.resolve() / "footbridge")
ACME = "<!doctype html><title>Acme</title><script>onload = () => webkit.messageHandlers.acme.postMessage({ type: 'login' })</script>"


@pytest.fixture
def init(tmp_path):
    """Runs `footbridge init` in a folder with a site."""

    def init(*arguments, page=ACME, **options):
        if page is not None:
            (tmp_path / "site").mkdir(exist_ok=True)
            (tmp_path / "site" / "index.html").write_text(page)
        return subprocess.run(
            [PROGRAM, "init", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **options)

    return init


def configuration(folder):
    return yaml.safe_load((folder / "footbridge.yaml").read_text())


def test_a_page_with_a_bridge_of_its_own_runs_after_init(init, tmp_path):
    made = init("--no-start")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines() == [
        "The page uses: acme.", "Wrote footbridge.yaml.", "Wrote test_footbridge.py.", "Wrote pytest.ini.",
        "Start it with: footbridge serve --config footbridge.yaml"]
    assert configuration(tmp_path)["bridges"]["app"]["channels"] == {"acme": {"reply": True}}
    (tmp_path / "conftest.py").write_text((EXAMPLE / "conftest.py").read_text())
    with (tmp_path / "test_footbridge.py").open("a") as test:
        test.write("\n\ndef test_a_message_is_answered(page, footbridge):\n    page.goto(footbridge.url)\n"
                   "    footbridge.expect_message('app.login').reply({})\n")
    tested = run_pytest(tmp_path)
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout


@pytest.mark.parametrize("page, bridges", [
    ("<script>window.onside.loadProducts({})</script>", None),
    ("<script src='cordova.js'></script>", {"app": {"preset": "cordova"}}),
    ("<script type=module>import { invoke } from '@tauri-apps/api/core'</script>", {"app": {"preset": "tauri"}}),
    ("<script>window.ReactNativeWebView.postMessage('x'); Telegram.WebApp.ready()</script>",
     {"reactnative": {"preset": "react-native"}, "telegram": {"preset": "telegram"}}),
    ("<script>registerPlugin('App'); Capacitor.nativePromise('Device', 'getInfo', {})</script>",
     {"app": {"preset": "capacitor", "options": {"plugins": {"Device": ["getInfo"]}}, "answers": {"Device.getInfo": {"reply": {}}}}}),
    ("<script>Toaster.postMessage('a'); flutter_inappwebview.callHandler('sum', 1)</script>",
     {"app": {"preset": "flutter", "options": {"channels": ["Toaster"]}, "answers": {"sum": {"reply": {}}}}}),
    ("<script>window.Android?.showToast('hi'); Android.getToken()</script>",
     {"app": {"preset": "android", "objects": {"Android": {"getToken": {"message": True}, "showToast": {"message": True}}}}}),
])
def test_the_bridges_that_the_page_names_are_declared(init, tmp_path, page, bridges):
    (tmp_path / "Products.storekit").write_text('{"products": []}')
    made = init("--no-start", "--tests", "none", page=page)
    assert made.returncode == 0, made.stderr
    written = configuration(tmp_path)
    assert (written.get("bridges"), written["root"], written["catalog"]) == (bridges, "site", "Products.storekit")
    assert run("exec", "--config", tmp_path / "footbridge.yaml", "--", "true").returncode == 0


def test_init_writes_nothing_if_it_finds_no_bridge_and_gets_none(init, tmp_path):
    refused = init("--no-start", page="<!doctype html><title>App</title>")
    assert refused.returncode == 64 and "No bridge was found in site, and nothing was written." in refused.stderr
    assert "or the name of a message handler." in refused.stderr and not (tmp_path / "footbridge.yaml").exists()
    assert init("--no-start", "--bridge", "pay", page=None).returncode == 0


def test_a_misspelled_preset_is_told(init):
    made = init("--no-start", "--tests", "none", "--bridge", "fluter", "--bridge", "garden")
    assert made.returncode == 0, made.stderr
    assert [line for line in made.stdout.splitlines() if "message handler" in line] == ["fluter is declared as a message handler. Did you mean flutter?"]


def test_the_first_test_fails_for_an_error_of_the_page(init, tmp_path):
    assert init("--no-start", page=ACME.replace("onload", "missing(); onload")).returncode == 0
    (tmp_path / "conftest.py").write_text((EXAMPLE / "conftest.py").read_text())
    tested = run_pytest(tmp_path)
    assert tested.returncode == 1 and "missing is not defined" in tested.stdout, tested.stdout


def test_named_bridges_are_declared_whatever_the_page_says(init, tmp_path):
    presets = re.findall(r"^- \[`([a-z-]+)`\]", (BUILD.parents[1] / "docs" / "wires.md").read_text(), re.MULTILINE)
    assert len(presets) > 5
    for preset in presets:
        (tmp_path / "footbridge.yaml").unlink(missing_ok=True)
        made = init("--no-start", "--tests", "none", "--bridge", preset)
        assert made.returncode == 0, made.stderr
        assert configuration(tmp_path)["bridges"] == {"app": {"preset": preset}}
        accepted = run("exec", "--config", tmp_path / "footbridge.yaml", "--", "true")
        assert accepted.returncode == 0, accepted.stderr


def test_init_serves_the_site_in_the_end(init, tmp_path):
    init("--no-start", "--tests", "none")
    (tmp_path / "footbridge.yaml").unlink()
    environment = {**os.environ, "FOOTBRIDGE_PORT": "0", "FOOTBRIDGE_EPHEMERAL": "true"}
    with subprocess.Popen([PROGRAM, "init"], cwd=tmp_path, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment) as process:
        lines = [process.stdout.readline() for _ in range(6)]
        process.terminate()
    assert lines[-1].startswith("footbridge: ready http://127.0.0.1:")


def test_in_a_terminal_init_asks_for_bridges_that_it_does_not_find(tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>App</title>")
    master, terminal = pty.openpty()
    with subprocess.Popen([PROGRAM, "init", "--no-start", "--tests", "none"], cwd=tmp_path, stdin=terminal, stdout=subprocess.PIPE, text=True) as process:
        asked = process.stdout.readline()
        os.write(master, b"capacitor, acme\n")
        assert process.wait(timeout=60) == 0
    os.close(master)
    os.close(terminal)
    assert asked.startswith("Which bridges does the page use? onside, gbg, today, ")
    assert configuration(tmp_path)["bridges"]["capacitor"] == {"preset": "capacitor"}
    assert configuration(tmp_path)["bridges"]["own"]["channels"] == {"acme": {"reply": True}}


def test_a_project_with_a_package_file_gets_a_test_in_javascript(init, tmp_path):
    (tmp_path / "package.json").write_text("{}")
    assert init("--no-start").returncode == 0
    assert subprocess.run(["node", "--check", tmp_path / "footbridge.spec.mjs"]).returncode == 0
    assert not (tmp_path / "pytest.ini").exists()


def test_init_overwrites_nothing(init, tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert "pytest.ini is already here. Nothing was changed in it." in init("--no-start").stdout
    assert (tmp_path / "pytest.ini").read_text() == "[pytest]\n"
    (tmp_path / "footbridge.yaml").write_text("root: site\n")
    refused = init("--no-start")
    assert refused.returncode == 64 and "footbridge.yaml is already here" in refused.stderr
    assert (tmp_path / "footbridge.yaml").read_text() == "root: site\n"


@pytest.mark.parametrize("arguments, code, error", [
    ([], 64, "There is no index.html here, nor in site, public, www or dist."),
    (["--root", "gone"], 66, "--root: there is no folder gone."),
    (["--root", ".", "--proxy", "http://localhost:5173"], 64, "--root and --proxy exclude each other."),
    (["--root", ".", "--bridge", "a: b"], 64, "a: b is no name of a bridge."),
])
def test_init_refuses_a_wrong_argument_and_writes_nothing(init, tmp_path, arguments, code, error):
    refused = init("--no-start", *arguments, page=None)
    assert (refused.returncode, error in refused.stderr) == (code, True), refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_agents_get_twenty_lines_with_commands_that_exist(init, tmp_path):
    (tmp_path / "AGENTS.md").write_text("# Our shop\n")
    assert init("--agents", page=None).stdout == "Wrote AGENTS.md.\n"
    assert init("--agents", page=None).stdout == "AGENTS.md has a section Footbridge already. Nothing was changed.\n"
    text = (tmp_path / "AGENTS.md").read_text()
    assert text.startswith("# Our shop\n\n## Footbridge\n") and len(text.splitlines()) <= 24
    commands = re.findall(r"`footbridge ((?:ctl )?[a-z]+(?: [a-z]+)*)", text)
    assert len(commands) > 8
    for command in commands:
        assert run(*command.split(), "--help").returncode == 0, command
    for name in re.findall(r"footbridge\.([a-z_]+)[.(]", text):
        assert f"`{name}" in (BUILD.parents[1] / "docs" / "kits.md").read_text(), name
