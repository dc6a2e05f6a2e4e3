"""`footbridge exec`: a server that runs as long as a command."""

import os
import pty
import signal
import stat
import subprocess
import sys
import urllib.request

import pytest

from footbridge_process import BUILD, run

PYTHON = sys.executable


def run_exec(*arguments, options=(), environment=None, timeout=20):
    return run("exec", *options, "--", *arguments, environment=environment, timeout=timeout)


def start_exec(script, *options, **more):
    """Starts a Python script with exec. The script prints a line when it runs."""
    return subprocess.Popen(
        [str(BUILD / "footbridge"), "exec", *map(str, options), "--", PYTHON, "-u", "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
    )


def test_the_command_finds_a_server_at_footbridge_url_that_ends_with_it():
    result = run_exec(PYTHON, "-c", "import os, urllib.request as r; u = os.environ['FOOTBRIDGE_URL']; "
                      "print(u, r.urlopen(u + '/__footbridge/health').status)")
    assert result.returncode == 0, result.stderr
    url, status = result.stdout.split()
    assert url.startswith("http://127.0.0.1:") and url != "http://127.0.0.1:8080" and status == "200"
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=5)


def test_the_command_can_use_the_control_api_with_the_token_of_its_environment():
    result = run_exec(PYTHON, "-c", """
import os, urllib.request
request = urllib.request.Request(os.environ["FOOTBRIDGE_URL"] + "/__footbridge/api/v1/sessions",
                                 headers={"Authorization": "Bearer " + os.environ["FOOTBRIDGE_CONTROL_TOKEN"]})
print(urllib.request.urlopen(request).status)
""")
    assert result.stdout == "200\n", result.stderr


def test_standard_streams_belong_to_the_command_only():
    result = subprocess.run(
        [str(BUILD / "footbridge"), "exec", "--", PYTHON, "-c", "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('e')"],
        input="echo", capture_output=True, text=True, timeout=20,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "ECHO", "e")


@pytest.mark.parametrize("code", [0, 1, 77, 255])
def test_exec_ends_with_the_exit_code_of_the_command(code):
    assert run_exec(PYTHON, "-c", f"raise SystemExit({code})").returncode == code


def test_a_command_that_a_signal_ends_gives_128_and_the_signal():
    assert run_exec(PYTHON, "-c", "import os; os.kill(os.getpid(), 9)").returncode == 128 + 9


def test_a_missing_command_gives_127_and_one_that_cannot_be_run_126(tmp_path):
    result = run_exec("no-such-command-anywhere")
    assert result.returncode == 127
    assert result.stdout == "" and "no-such-command-anywhere" in result.stderr and len(result.stderr.splitlines()) == 1
    (tmp_path / "text").write_text("this is no program")
    result = run_exec(tmp_path / "text")
    assert result.returncode == 126
    assert str(tmp_path / "text") in result.stderr
    (tmp_path / "text").chmod(stat.S_IRWXU)
    assert run_exec(tmp_path / "text").returncode == 126


def test_without_a_command_nothing_is_started():
    for arguments in (["exec"], ["exec", "--"]):
        result = run(*arguments)
        assert result.returncode == os.EX_USAGE
        assert "exec -- " in result.stderr


def test_a_command_before_the_dashes_is_a_usage_error():
    assert run("exec", "true").returncode == os.EX_USAGE


def test_exec_refuses_to_reload_pages(tmp_path):
    result = run_exec(PYTHON, "-c", "print(1)", options=["--root", tmp_path, "--watch"])
    assert (result.returncode, result.stdout) == (os.EX_USAGE, "") and "--watch is for serve alone" in result.stderr


def test_options_after_the_dashes_belong_to_the_command():
    result = run_exec(PYTHON, "-c", "import sys; print(sys.argv[1:])", "--port", "1", "--", "-x")
    assert result.stdout.strip() == "['--port', '1', '--', '-x']"


def test_options_before_the_dashes_belong_to_the_server(tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>Mine</title>")
    result = run_exec(PYTHON, "-c", "import os, urllib.request as r; print(r.urlopen(os.environ['FOOTBRIDGE_URL']).read().decode())",
                      options=["--root", tmp_path])
    assert "Mine" in result.stdout
    result = run_exec("true", options=["--root", tmp_path / "missing"])
    assert result.returncode == os.EX_NOINPUT
    assert "--root" in result.stderr


def test_nothing_is_stored_unless_a_state_directory_is_given(tmp_path):
    environment = {"XDG_STATE_HOME": str(tmp_path / "home")}
    assert run_exec("true", environment=environment).returncode == 0
    assert not (tmp_path / "home").exists()
    assert run_exec("true", options=["--state", tmp_path / "state"]).returncode == 0
    assert (tmp_path / "state").is_dir()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_signals_are_passed_on_to_the_command(number):
    process = start_exec(f"""
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [{int(number)}])
print("ready")
signal.sigwait([{int(number)}])
sys.exit(40)
""", start_new_session=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.wait(timeout=10) == 40
    process.communicate()


def test_a_signal_that_the_command_ignores_does_not_end_the_server():
    process = start_exec("""
import os, signal, urllib.request
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
print("ready")
signal.sigwait([signal.SIGUSR1])
print(urllib.request.urlopen(os.environ["FOOTBRIDGE_URL"] + "/__footbridge/health").status)
""")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGUSR1)
    assert process.stdout.readline() == "200\n"
    assert process.wait(timeout=10) == 0
    process.communicate()


def test_the_command_starts_with_no_signal_blocked_or_ignored_and_without_the_servers_files():
    result = run_exec(PYTHON, "-c", """
import os, signal
dispositions = [signal.getsignal(n) for n in (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)]
print(signal.pthread_sigmask(signal.SIG_BLOCK, []) == set(), all(d == signal.SIG_DFL for d in dispositions))
print(sorted(os.readlink(f"/proc/self/fd/{f}").split(":")[0] for f in os.listdir("/proc/self/fd") if int(f) > 2 and os.path.exists(f"/proc/self/fd/{f}")))
""")
    assert result.stdout.splitlines() == ["True True", "[]"], result.stdout


def test_control_c_at_a_terminal_reaches_the_command_once():
    """A second SIGINT would end a test runner in the middle of its cleanup."""
    script = """
import signal
seen = []
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGUSR1])
print("ready", flush=True)
while signal.SIGUSR1 not in seen:
    seen.append(signal.sigwait([signal.SIGINT, signal.SIGUSR1]))
    print("seen", len(seen), flush=True)
print("typed", seen.count(signal.SIGINT), "end", flush=True)
"""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(str(BUILD / "footbridge"), ["footbridge", "exec", "--", PYTHON, "-c", script])
    output = b""

    def read_until(text):
        nonlocal output
        while text not in output:
            output += os.read(terminal, 1000)

    read_until(b"ready")
    os.write(terminal, b"\x03")
    read_until(b"seen 1")
    # If exec passed on the first signal, it would arrive before this one.
    os.kill(pid, signal.SIGUSR1)
    read_until(b"end")
    assert b"typed 1 end" in output
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
