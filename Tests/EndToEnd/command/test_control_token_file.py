"""`--control-token-file` keeps the token of the control API out of process lists."""

import pathlib

import pytest

from footbridge_process import Control, run, serve


def token_file(folder, text="a-token\n", mode=0o600):
    path = folder / "token"
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("place", ["flag", "variable", "file"])
def test_the_control_token_is_read_from_the_named_file(tmp_path, place):
    path = token_file(tmp_path)
    config = tmp_path / "footbridge.yaml"
    config.write_text("controlTokenFile: token\n" if place == "file" else "")
    arguments = ("--control-token-file", path) if place == "flag" else ()
    environment = {"FOOTBRIDGE_CONTROL_TOKEN_FILE": str(path)} if place == "variable" else {}
    with serve("--ephemeral", "--config", config, *arguments, environment=environment) as server:
        url = server.lines.get(timeout=60).removeprefix("footbridge: control ")
        assert "token" not in url
        assert Control(url, "a-token").request("GET", "/sessions").status == 200
        assert Control(url, "another").request("GET", "/sessions").status == 401
        command_line = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        assert b"a-token" not in command_line and "a-token" not in "".join(server.log)


@pytest.mark.parametrize("flags, environment, text, token", [
    (["--control-token", "flag"], {"FOOTBRIDGE_CONTROL_TOKEN_FILE": "{}"}, "", "flag"),
    (["--control-token-file", "{}"], {"FOOTBRIDGE_CONTROL_TOKEN": "variable"}, "controlToken: file", "a-token"),
    ([], {"FOOTBRIDGE_CONTROL_TOKEN": "variable"}, "controlTokenFile: token", "variable"),
    ([], {"FOOTBRIDGE_CONTROL_TOKEN_FILE": "", "FOOTBRIDGE_CONTROL_TOKEN": "variable"}, "", "variable"),
])
def test_token_and_token_file_override_each_other(tmp_path, flags, environment, text, token):
    path = str(token_file(tmp_path))
    config = tmp_path / "footbridge.yaml"
    config.write_text(text)
    flags = [flag.format(path) for flag in flags]
    environment = {name: value.format(path) for name, value in environment.items()}
    with serve("--ephemeral", "--config", config, *flags, environment=environment) as server:
        assert server.control(token).request("GET", "/sessions").status == 200


@pytest.mark.parametrize("mode, is_open", [(0o600, False), (0o640, True), (0o644, True)])
def test_a_token_file_that_others_can_read_gives_a_warning(tmp_path, mode, is_open):
    path = token_file(tmp_path, mode=mode)
    with serve("--ephemeral", "--control-token-file", path) as server:
        server.stop()
        assert any("warning" in line and str(path) in line for line in server.log) == is_open


def test_a_command_of_exec_gets_the_token_and_no_token_file(tmp_path):
    result = run(
        "exec", "--ephemeral", "--", "sh", "-c", "echo $FOOTBRIDGE_CONTROL_TOKEN.$FOOTBRIDGE_CONTROL_TOKEN_FILE.",
        environment={"FOOTBRIDGE_CONTROL_TOKEN_FILE": str(token_file(tmp_path))})
    assert (result.returncode, result.stdout) == (0, "a-token..\n")
