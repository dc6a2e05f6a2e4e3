"""`footbridge ctl`: the control API on the command line."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios

import pytest
from websockets.sync.client import connect

from footbridge_process import BUILD, PROJECT, run, serve

BINARY = str(BUILD / "footbridge")


class Shell:
    """Runs `ctl` as a user of the server does, who has set nothing."""

    def __init__(self, server):
        self.server = server
        self.environment = {"XDG_RUNTIME_DIR": server.state_home.name}

    def run(self, *arguments, **options):
        return run("ctl", *arguments, environment=self.environment, **options)

    def __call__(self, *arguments):
        """Runs a command that must succeed, and returns its JSON."""
        result = self.run("--json", *arguments)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout) if result.stdout else None

    def session(self, **members):
        return self("sessions", "create", *(f"{name}={value}" for name, value in members.items()))["id"]

    @contextlib.contextmanager
    def following(self, *arguments):
        """Follows the journal; yields a function that returns the next line."""
        process = subprocess.Popen(
            [BINARY, "ctl", "--json", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **self.environment},
        )
        try:
            yield lambda: json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.communicate(timeout=20)


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--present", "control", "--ephemeral") as server:
        yield server


@pytest.fixture
def shell(server):
    """The command line, with no session to begin with."""
    shell = Shell(server)
    yield shell
    for session in shell("sessions")["sessions"]:
        shell("session", "delete", f"session={session['id']}")


def test_ctl_finds_a_running_server_without_options(shell):
    result = shell.run("sessions")
    assert (result.returncode, result.stdout) == (0, "There are no sessions.\n"), result.stderr


def test_ctl_uses_the_only_session_and_asks_for_one_among_several(shell):
    nobody = shell.run("clock")
    assert nobody.returncode == 66 and "sessions create" in nobody.stderr
    shell.session(name="alice")
    assert shell("clock", "change", "frozen=true", "now=2030-01-31T00:00:00Z")["frozen"] is True
    assert shell("clock", "advance", "P1M")["now"] == "2030-02-28T00:00:00.000Z"
    bob = shell.session(name="bob")
    several = shell.run("clock")
    assert several.returncode == 64
    assert "--session" in several.stderr and "alice" in several.stderr and bob in several.stderr
    assert shell("--session", "alice", "clock")["now"].startswith("2030")
    assert shell("--session", bob, "clock")["frozen"] is False
    unknown = shell.run("--session", "carol", "clock")
    assert unknown.returncode == 66 and "bob" in unknown.stderr


def test_a_snapshot_is_of_the_only_session_or_of_the_one_that_is_named(shell):
    nobody = shell.run("snapshots", "take", "empty")
    assert nobody.returncode == 66 and "sessions create" in nobody.stderr
    shell.session(name="alice", account="built-in")
    assert shell("snapshots", "take", "only") is None
    shell.session(name="bob")
    several = shell.run("snapshots", "take", "one")
    assert several.returncode == 64 and "--session" in several.stderr and "alice" in several.stderr
    assert shell("--session", "alice", "snapshots", "take", "by-option") is None
    assert shell("snapshots", "take", "by-member", "session=alice") is None
    unknown = shell.run("--session", "carol", "snapshots", "take", "none")
    assert unknown.returncode == 66 and "bob" in unknown.stderr
    for name in ["only", "by-option", "by-member"]:
        assert shell("sessions", "create", f"from={name}")["account"] == "built-in"
        shell("snapshots", "forget", name)
    assert shell("snapshots")["snapshots"] == []


def test_a_sheet_is_approved_by_name_or_as_the_only_one(shell, new_context):
    session = shell("sessions", "create", "account=built-in")
    context = new_context()
    context.add_cookies([session["cookie"]])
    page = context.new_page()
    page.goto(shell.server.url)
    page.evaluate("onside.initializeOnside('v1')")
    page.evaluate("void onside.presentPaymentMethodsManager().catch(() => {})")
    shell("journal", "wait", "until.kind=sheetOpened")
    sheet, = shell("sheets")["sheets"]
    assert sheet["id"] in shell.run("sheets").stdout
    assert shell("sheets", "approve") is None
    assert shell("sheets")["sheets"] == []
    assert shell.run("sheets", "approve").returncode == 66
    assert shell.run("sheets", "approve", sheet["id"]).returncode == 66


def test_the_only_declared_bridge_need_not_be_named(shell, new_context):
    session = shell("sessions", "create")
    assert "There is no bridge at the moment." in shell.run("bridges", "calls", "evaluate=1").stderr
    shell("bridges", "declare", "garden", 'channels={"garden": {"reply": true}}')
    context = new_context()
    context.add_cookies([session["cookie"]])
    page = context.new_page()
    page.goto(shell.server.url)
    shell("journal", "wait", "until.kind=page", "until.action=opened")
    assert shell("bridges", "calls", "evaluate=40 + 2") == {"result": 42}


def test_a_purchase_is_added_and_refunded_and_shown_as_a_table(shell, catalog):
    product = json.loads(catalog.read_text())["products"][0]["productID"]
    shell.session(account="built-in")
    shell("purchases", "create", product)
    shell("purchases", "refund")
    assert shell("purchases")["purchases"][0]["revokedAt"]
    table = shell.run("purchases").stdout.splitlines()
    heading = table.index("purchases:") + 1
    assert table[heading].split()[:4] == ["id", "originalId", "account", "product"]
    assert product in table[heading + 1]


def test_the_journal_is_printed_and_followed(shell):
    session = shell.session(name="alice")
    with shell.following("journal", "--follow", "--session", "alice", "after=0") as next_entry:
        shell("clock", "change", "frozen=true")
        entry = next_entry()
        while entry.get("action") != "PATCH /clock":
            entry = next_entry()
        assert "session" not in entry
    lines = shell.run("journal", "kind=control").stdout.splitlines()
    assert len(lines) == 1 and lines[0].endswith("PATCH /clock")
    assert shell("journal", "limit=1")["entries"][0]["cursor"] == 1
    assert session


def test_all_sessions_are_followed_also_those_that_begin_later(shell):
    alice = shell.session(name="alice")
    with shell.following("journal", "-f", "after=0") as next_entry:
        shell("--session", alice, "clock", "change", "frozen=true")
        entry = next_entry()
        while entry.get("action") != "PATCH /clock":
            entry = next_entry()
        assert entry["session"] == alice
        bob = shell.session(name="bob")
        shell("--session", bob, "clock", "change", "frozen=true")
        while entry.get("session") != bob or entry.get("action") != "PATCH /clock":
            entry = next_entry()


def test_following_ends_with_the_session(shell):
    session = shell.session()
    process = subprocess.Popen(
        [BINARY, "ctl", "--json", "events", f"session={session}", "after=0"], stdout=subprocess.PIPE, text=True,
        env={**os.environ, **shell.environment},
    )
    shell("clock", "change", "frozen=true")
    while json.loads(process.stdout.readline()).get("action") != "PATCH /clock":
        pass
    shell("session", "delete")
    process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["shets"], 64, "Did you mean sheets?"),
        (["clock", "advance", "soon"], 64, "such as P1M or PT90S"),
        (["clock", "change", "frozne=true"], 64, "did you mean frozen?"),
        (["journal", "limit=many"], 64, "a whole number from 1"),
        (["rules", "create", "on=onside.purchase", "then.error=nonsense"], 65, "then.error"),
        (["rules", "get", "nothing"], 66, "no rule"),
        (["journal", "wait", "until.kind=page", "timeout=1"], 75, "No entry matched"),
        (["sheets", "--body", "{"], 65, "not valid JSON"),
        (["sheets", "--follow"], 64, "Only the journal"),
        (["bridges", "handler", "nothing"], 66, ""),
        (["notifications", "test"], 75, "onside.notifications.url"),
    ],
)
def test_an_error_of_ctl_says_what_to_do_and_has_its_exit_code(shell, arguments, code, words):
    shell.session()
    result = shell.run(*arguments)
    assert (result.returncode, result.stdout) == (code, ""), result.stderr
    assert words in result.stderr


def test_connecting_a_handler_prints_the_address_of_its_websocket(shell):
    session = shell.session()
    shell("bridges", "declare", "acme", "channels.acme.reply=true")
    result = shell.run("bridges", "handler", "acme")
    address = f"{shell.server.url.replace('http', 'ws')}/__footbridge/api/v1/sessions/{session}/bridges/acme/handler"
    assert result.returncode == 64 and address in result.stderr


def test_a_body_comes_from_a_file_or_from_standard_input(shell, tmp_path):
    body = tmp_path / "session.json"
    body.write_text('{"name": "from a file"}')
    assert shell("sessions", "create", "--body", f"@{body}", "platform=macos")["platform"] == "macos"
    result = subprocess.run(
        [BINARY, "ctl", "--json", "session", "change", "--body", "-"], input='{"name": "from standard input"}', text=True,
        capture_output=True, env={**os.environ, **shell.environment}, timeout=20,
    )
    assert json.loads(result.stdout)["name"] == "from standard input", result.stderr


def test_control_characters_of_a_text_are_not_printed(shell):
    shell("sessions", "create", "--body", json.dumps({"name": "a\x1b[2Jb"}))
    assert "\x1b" not in shell.run("sessions").stdout
    assert "\x1b" not in shell.run("--session", "nobody", "clock").stderr


def test_a_table_fits_into_the_terminal(shell):
    shell.session(name="alice")
    leader, follower = pty.openpty()
    subprocess.run(["stty", "cols", "60"], stdin=follower, check=True)
    subprocess.run([BINARY, "ctl", "sessions"], stdout=follower, env={**os.environ, **shell.environment}, timeout=20, check=True)
    os.close(follower)
    lines = os.read(leader, 4096).decode().splitlines()
    os.close(leader)
    assert "alice" in lines[1] and max(map(len, lines)) <= 60


@pytest.fixture
def drawer(tmp_path):
    """A program `qrencode` that prints its arguments, and what it should draw."""
    program = tmp_path / "qrencode"
    program.write_text('#!/bin/sh\nread -r text || true\necho "drawn ($*) [$text]"\n')
    program.chmod(0o755)
    return {"PATH": f"{tmp_path}:{os.environ['PATH']}"}


def test_a_url_is_shown_as_a_qr_code_and_is_not_in_the_process_arguments(shell, drawer):
    shell.session(name="alice")
    shell.environment |= drawer
    result = shell.run("session", "enter", "--qr")
    assert result.returncode == 0, result.stderr
    [address] = [line.split()[-1] for line in result.stdout.splitlines() if line.startswith("url")]
    assert result.stdout.splitlines()[-1] == f"drawn (-t ANSIUTF8) [{address}]"
    # Nobody looks at a file or a pipe.
    assert "drawn" not in shell.run("session", "enter").stdout
    leader, follower = pty.openpty()
    subprocess.run([BINARY, "ctl", "session", "enter"], stdout=follower, env={**os.environ, **shell.environment}, timeout=20, check=True)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # the end, of a terminal
        while part := os.read(leader, 4096):
            shown += part
    os.close(leader)
    assert b"drawn" in shown


@pytest.mark.parametrize(("arguments", "code", "words"), [
    (["session", "enter", "--qr"], 69, "apt-get install qrencode"),
    (["sessions", "--qr"], 64, "Only the address of a session"),
    (["session", "enter", "--qr", "--json"], 64, "mutually exclusive"),
])
def test_a_text_that_does_not_fit_into_a_qr_code_is_an_error(shell, tmp_path, arguments, code, words):
    shell.session(name="alice")
    shell.environment["PATH"] = str(tmp_path)
    result = shell.run(*arguments)
    assert result.returncode == code and words in result.stderr, result.stderr
    assert ("/__footbridge/enter/" in result.stdout) == (code == 69)


# Which server


def test_ctl_asks_which_of_several_servers_is_meant(shop_root, tmp_path, server):
    with serve("--root", shop_root, "--ephemeral", environment=Shell(server).environment) as other:
        shell = Shell(server)
        result = shell.run("sessions")
        assert result.returncode == 64
        assert server.url in result.stderr and other.url in result.stderr and "--server" in result.stderr
        assert shell.run("--server", other.url, "sessions").returncode == 0
        assert run("ctl", "sessions", environment={**shell.environment, "FOOTBRIDGE_URL": other.url}).returncode == 0
    assert shell.run("sessions").returncode == 0


def test_ctl_prefers_the_server_of_the_working_directory(shop_root, tmp_path, server):
    environment = {**os.environ, **Shell(server).environment}
    other = subprocess.Popen(
        [BINARY, "serve", "--root", str(shop_root), "--port", "0", "--ephemeral"], cwd=tmp_path, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    try:
        url = other.stdout.readline().split()[-1]
        created = subprocess.run([BINARY, "ctl", "--json", "sessions", "create"], cwd=tmp_path, env=environment, capture_output=True, timeout=20)
        assert json.loads(created.stdout)["cookie"]["url"] == url + "/"
    finally:
        other.terminate()
        other.communicate(timeout=20)


def test_the_record_of_a_killed_server_is_ignored(shop_root):
    with serve("--root", shop_root, "--ephemeral") as killed:
        shell = Shell(killed)
        records = list(pathlib.Path(killed.state_home.name).glob("footbridge/*.json"))
        assert [record.stat().st_mode & 0o777 for record in records] == [0o600]
        killed.signal(signal.SIGKILL)
        assert shell.run("sessions").returncode == 69
        with serve("--root", shop_root, "--ephemeral", environment=shell.environment):
            assert shell.run("sessions").returncode == 0
            assert not records[0].exists()


def test_a_server_writes_no_record_through_a_symbolic_link(shop_root, tmp_path):
    target = tmp_path / "target"
    target.mkdir(0o755)
    (tmp_path / f"footbridge-{os.geteuid()}").symlink_to(target)
    with serve("--root", shop_root, "--ephemeral", environment={"XDG_RUNTIME_DIR": "", "TMPDIR": str(tmp_path)}):
        assert list(target.iterdir()) == [] and target.stat().st_mode & 0o777 == 0o755


def test_ctl_requires_a_token_and_reads_it_from_a_file(server, tmp_path):
    stranger = {"XDG_RUNTIME_DIR": str(tmp_path)}
    missing = run("ctl", "--server", server.url, "sessions", environment=stranger)
    assert missing.returncode == 64 and "--token-file" in missing.stderr
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong\n")
    refused = run("ctl", "--server", server.url, "--token-file", wrong, "sessions", environment=stranger)
    assert refused.returncode == 77
    nobody = run("ctl", "--server", "http://127.0.0.1:1", "--token-file", wrong, "sessions", environment=stranger)
    assert nobody.returncode == 69
    nonsense = run("ctl", "--server", "localhost", "--token-file", wrong, "sessions", environment=stranger)
    assert nonsense.returncode == 64 and "http://127.0.0.1:8080" in nonsense.stderr


def test_a_command_of_exec_uses_the_server_of_exec():
    result = run("exec", "--", BINARY, "ctl", "--json", "sessions")
    assert json.loads(result.stdout) == {"sessions": []}, result.stderr


# Help and completion


def operations():
    description = json.loads((PROJECT / "web" / "api" / "openapi.json").read_text())
    return [
        (operation["operationId"], operation["summary"]) for methods in description["paths"].values() for operation in methods.values()
    ]


@pytest.mark.parametrize("command", ["serve", "exec", "browse", "record", "verify", "ctl", "mcp", "dashboard", "show", "catalog", "bridges", "trust", "health"])
def test_help_texts_fit_into_80_columns(command):
    lines = run(command, "--help", environment={"COLUMNS": "80"}).stdout.splitlines()
    overview = lines[: next(number for number, line in enumerate(lines) if line.startswith("USAGE:"))]
    assert [line for line in lines if len(line) > 80 and not line.startswith("USAGE:")] == []
    for line, following in zip(overview, overview[1:]):
        # A line ends where the next word does not fit, or with a sentence.
        fits = following and len(line) + 1 + len(following.split()[0]) <= 79
        assert not line or not fits or line.endswith((".", ":")), line


def test_the_help_lists_every_operation_and_is_80_columns_wide():
    text = run("ctl", "--help").stdout
    flat = " ".join(text.split())
    assert [summary for _, summary in operations() if " ".join(summary.split()) not in flat] == []
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("name", "summary"), operations())
def test_each_operation_has_help_of_its_own(name, summary):
    result = run("ctl", name, "--help")
    assert result.returncode == 0 and f"OPERATION: {name}," in result.stdout, result.stderr


def complete(shell, *words):
    """Returns what bash offers for the last word."""
    script = run("--generate-completion-script", "bash").stdout + """
      COMP_WORDS=(footbridge "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _footbridge footbridge "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
    """
    result = subprocess.run(
        ["bash", "-c", script, "bash", *words], capture_output=True, text=True, timeout=20,
        env={**os.environ, **shell.environment, "PATH": f"{BUILD}:{os.environ['PATH']}"},
    )
    return result.stdout.split()


def test_the_shell_completes_operations_members_and_what_the_server_has(shell):
    shell.session(name="alice")
    shell("rules", "create", "id=sold-out", "on=onside.purchase", "then.error=unknownProduct")
    assert complete(shell, "ctl", "she") == ["sheets"]
    assert complete(shell, "ctl", "clock", "") == ["advance", "change"]
    assert complete(shell, "ctl", "--session", "") == ["alice"]
    assert "sold-out" in complete(shell, "ctl", "rules", "delete", "")
    assert complete(shell, "ctl", "session", "change", "plat") == ["platform="]
    # Bash breaks words at "=".
    assert complete(shell, "ctl", "session", "change", "platform", "=", "m") == ["macos"]
    assert complete(shell, "ctl", "--server", "") == [shell.server.url]


#: How each shell starts without anybody's settings, and then loads the completions from a file.
INTERACTIVE = {
    "bash": (["bash", "--norc", "-i"], "source {file}"),
    "zsh": (["zsh", "-f", "-i"], "fpath=({folder} $fpath); autoload -U compinit; compinit -u"),
    "fish": (["fish", "--no-config", "-i"], "source {file}"),
}


@contextlib.contextmanager
def terminal(name, shell, folder):
    """A shell with completions in a terminal. Yields a function that types a text and waits until the terminal shows another."""
    command, load = INTERACTIVE[name]
    if not shutil.which(name):
        pytest.skip(f"needs {name}")
    file = folder / ("_footbridge" if name == "zsh" else f"footbridge.{name}")
    file.write_text(run("--generate-completion-script", name).stdout)
    environment = {
        **os.environ, **shell.environment, "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb", "COLUMNS": "200",
    }
    child, descriptor = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, environment)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))

    def enter(text, shown):
        os.write(descriptor, text.encode())
        seen = ""
        while shown not in seen:
            assert select.select([descriptor], [], [], 30)[0], f"{name} does not show {shown}: {seen!r}"
            seen += os.read(descriptor, 65536).decode(errors="replace")
        return seen

    try:
        enter(load.format(file=file, folder=folder) + "; echo load''ed\n", "loaded")
        yield enter
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(descriptor)


@pytest.mark.parametrize("name", INTERACTIVE)
def test_no_shell_runs_what_a_page_says(shell, tmp_path, name):
    session = shell("sessions", "create")
    hostile = ["`touch backtick`", "$(touch dollar)", "';touch quote;'", '";touch double;"', "a;touch semicolon", "a|touch pipe", "a\ntouch newline",
               "<(touch process)", "{a,b}", "*", "~", "!!", "\x1b]0;title\x07", "a\u2028b", "a\u202eb"]
    with connect(f"ws://127.0.0.1:{shell.server.port}/__footbridge/bridge?page={'1' * 32}", subprotocols=["footbridge.v1"],
                 additional_headers={"Cookie": f"footbridge_session={session['cookie']['value']}"}) as page:
        for id in [*hostile, "plain-request"]:
            page.send(json.dumps({"version": "1.0", "correlationId": id, "type": "request", "timestamp": 1, "payload": {"action": "custom.x"}}))
        # The requests are in order.
        shell("journal", "wait", "until.kind=request", "until.correlationId=plain-request")
        line = ["ctl", "pages", "requests", "respond", shell("pages")["pages"][0]["id"], ""]
        requests = shell("pages", "requests")["requests"]
        assert {each["correlationId"] for each in requests} >= {"plain-request", hostile[0]}
        with terminal(name, shell, tmp_path) as enter:
            shown = enter("footbridge " + " ".join(line) + "\t\t", "plain-request")
            # Whatever else the shell offers is shown before this.
            shown += enter("\x15echo do''ne\n", "done")
            assert "touch" not in shown, shown
    files = {each.name for each in tmp_path.iterdir() if not each.name.startswith((".", "_", "footbridge."))}
    assert files == set()


def test_the_shell_completes_operations_without_a_server(server, tmp_path):
    shell = Shell(server)
    shell.environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert complete(shell, "ctl", "clock", "a") == ["advance"]
    assert complete(shell, "ctl", "--session", "") == []
