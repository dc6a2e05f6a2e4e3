"""`footbridge mcp`: the control API for coding agents, driven by the public Python client and by raw messages."""

import asyncio
import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess

import pytest
from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import ResourceUpdatedNotification

from footbridge_process import BUILD, run, serve

BINARY = str(BUILD / "footbridge")


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--present", "control", "--ephemeral") as server:
        yield server


def finish(coroutine):
    """Runs a coroutine in a thread of its own: in the main one, Playwright may have a loop already."""
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, coroutine).result(timeout=60)


def environment(server):
    return {**os.environ, "XDG_RUNTIME_DIR": server.state_home.name}


@contextlib.asynccontextmanager
async def connected(server, mode, message_handler=None):
    """A client of an agent, at the server that runs; it deletes the sessions that it has made."""
    parameters = StdioServerParameters(command=BINARY, args=["mcp"], env=environment(server))
    async with Client(stdio_client(parameters), mode=mode, message_handler=message_handler) as client:
        yield client
        for session in (await client.call_tool("listSessions", {})).structured_content["sessions"]:
            await client.call_tool("deleteSession", {"session": session["id"]})


#: With initialize until 2025-11-25, and without it since 2026-07-28.
MODES = pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])


@MODES
def test_a_client_finds_tools_and_uses_them(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:
            assert client.protocol_version == version
            assert client.server_info.name == "footbridge" and "createSession" in client.instructions
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["getClock"].annotations.read_only_hint is True
            assert tools["deleteSession"].annotations.destructive_hint is True
            made = await client.call_tool("createSession", {"body": {"name": "agent", "clock": {"frozen": True, "now": "2030-01-31T00:00:00Z"}}})
            assert not made.is_error and made.structured_content["name"] == "agent"
            moved = await client.call_tool("advanceClock", {"session": "agent", "body": {"duration": "P1M"}})
            assert moved.structured_content == json.loads(moved.content[0].text) == {"frozen": True, "now": "2030-02-28T00:00:00.000Z"}
            done = await client.call_tool("relaunchSession", {})
            assert not done.is_error and done.structured_content is None

    finish(drive())


@MODES
def test_a_failed_tool_call_returns_its_error_to_the_model(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:

            async def failure(tool, arguments):
                result = await client.call_tool(tool, arguments)
                assert result.is_error
                return result.content[0].text

            assert "No session runs" in await failure("getClock", {})
            await client.call_tool("createSession", {})
            assert "such as P1M" in await failure("advanceClock", {"body": {"duration": "soon"}})
            assert "no rule" in await failure("getRule", {"rule": "nothing"})
            assert "No entry matched" in await failure("waitForJournal", {"body": {"until": {"kind": "page"}, "timeout": 1}})
            with pytest.raises(MCPError):
                await client.call_tool("nothing", {})

    finish(drive())


@MODES
def test_sessions_and_journals_are_resources(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:
            session = (await client.call_tool("createSession", {"body": {"name": "agent", "account": "built-in"}})).structured_content["id"]
            uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
            journal = f"footbridge://control/sessions/{session}/journal"
            assert journal in uris and f"footbridge://control/sessions/{session}" in uris
            content, = (await client.read_resource(journal)).contents
            page = json.loads(content.text)
            assert page["entries"][0]["action"] == "account"
            content, = (await client.read_resource(f"{journal}?after={page['next']}")).contents
            assert json.loads(content.text)["entries"] == []
            templates = [template.uri_template for template in (await client.list_resource_templates()).resource_templates]
            assert "footbridge://control/sessions/{session}/journal{?after,limit,kind}" in templates
            with pytest.raises(MCPError):
                await client.read_resource("footbridge://control/sessions/nobody")

    finish(drive())


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")
def test_a_subscriber_gets_changes_of_a_resource(server):
    async def drive():
        changes = asyncio.Queue()

        async def received(message):
            if isinstance(message, ResourceUpdatedNotification):
                changes.put_nowait(str(message.params.uri))

        async with connected(server, "legacy", received) as client:
            session = (await client.call_tool("createSession", {})).structured_content["id"]
            journal = f"footbridge://control/sessions/{session}/journal"
            await client.subscribe_resource(journal)
            await client.call_tool("changeClock", {"body": {"frozen": True}})
            assert await asyncio.wait_for(changes.get(), 20) == journal
            await client.unsubscribe_resource(journal)

    finish(drive())


def test_a_listener_gets_changes_of_a_resource(server):
    async def drive():
        async with connected(server, "auto") as client:
            session = (await client.call_tool("createSession", {})).structured_content["id"]
            journal = f"footbridge://control/sessions/{session}/journal"
            async with client.listen(resource_subscriptions=[journal]) as changes:
                await client.call_tool("changeClock", {"body": {"frozen": True}})
                change = await asyncio.wait_for(anext(aiter(changes)), 20)
                assert str(change.uri) == journal

    finish(drive())


def test_an_agent_can_start_its_own_server_with_exec(shop_root):
    async def drive():
        parameters = StdioServerParameters(
            command=BINARY, args=["exec", "--root", str(shop_root), "--present", "control", "--", BINARY, "mcp"], env=dict(os.environ)
        )
        async with Client(stdio_client(parameters), mode="legacy") as client:
            assert (await client.call_tool("listSessions", {})).structured_content == {"sessions": []}

    finish(drive())


# Raw messages


class Agent:
    """`footbridge mcp`, line by line."""

    def __init__(self, environment):
        self.process = subprocess.Popen(
            [BINARY, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def send(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})) + "\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, message):
        self.send(message)
        return self.receive()

    def begin(self):
        self.ask({"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
        self.send({"method": "notifications/initialized"})

    def end(self):
        """Closes the input, as a client does; returns what else came, the log and the exit code."""
        output, log = self.process.communicate(timeout=20)
        return output, log, self.process.returncode


@pytest.fixture
def agent(server):
    agent = Agent(environment(server))
    yield agent
    if agent.process.poll() is None:
        agent.process.kill()
    agent.process.communicate()


def test_standard_output_has_only_messages_and_the_command_ends_with_its_input(agent):
    agent.begin()
    assert agent.ask({"id": 1, "method": "ping"}) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert agent.end() == ("", "", 0)


def test_an_open_request_is_answered_after_the_input_has_ended(agent):
    agent.begin()
    agent.send({"id": 1, "method": "tools/call", "params": {"name": "listSessions"}})
    output, _, code = agent.end()
    assert json.loads(output)["result"]["isError"] is False and code == 0


def test_malformed_input_is_answered_and_the_connection_stays_open(agent):
    agent.begin()
    for text, code in [("{", -32700), ("[]", -32600), ('"x"', -32600), ("\x00", -32700), ("[" * 100_000, -32700), ('{"id": 1}', -32600)]:
        assert agent.ask(text)["error"]["code"] == code
    assert agent.ask({"id": 2, "method": "nothing"})["error"]["code"] == -32601
    assert agent.ask({"id": 3, "method": "ping"})["result"] == {}


def test_a_request_that_is_cancelled_gets_no_answer(agent):
    agent.begin()
    session = agent.ask({"id": 1, "method": "tools/call", "params": {"name": "createSession"}})["result"]["structuredContent"]["id"]
    agent.send({"id": 2, "method": "tools/call", "params": {"name": "waitForJournal", "arguments": {
        "session": session, "body": {"until": {"kind": "page"}, "timeout": 120_000}}}})
    agent.send({"method": "notifications/cancelled", "params": {"requestId": 2}})
    deleted = agent.ask({"id": 3, "method": "tools/call", "params": {"name": "deleteSession", "arguments": {"session": session}}})
    assert deleted["id"] == 3
    assert agent.end() == ("", "", 0)


def test_requests_are_answered_while_another_one_waits(agent):
    agent.begin()
    session = agent.ask({"id": 1, "method": "tools/call", "params": {"name": "createSession"}})["result"]["structuredContent"]["id"]
    agent.send({"id": 2, "method": "tools/call", "params": {"name": "waitForJournal", "arguments": {
        "session": session, "body": {"until": {"action": "PATCH /clock"}, "timeout": 120_000}}}})
    agent.send({"id": 3, "method": "tools/call", "params": {"name": "changeClock", "arguments": {"session": session, "body": {"frozen": True}}}})
    assert {agent.receive()["id"], agent.receive()["id"]} == {2, 3}
    agent.ask({"id": 4, "method": "tools/call", "params": {"name": "deleteSession", "arguments": {"session": session}}})


def test_tools_report_a_missing_server_and_find_one_that_starts_later(shop_root, tmp_path):
    agent = Agent({**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})
    agent.begin()
    ask = {"method": "tools/call", "params": {"name": "listSessions"}}
    nobody = agent.ask({"id": 1, **ask})["result"]
    assert nobody["isError"] and "footbridge serve" in nobody["content"][0]["text"]
    resources = agent.ask({"id": 2, "method": "resources/list"})["result"]["resources"]
    assert "footbridge://control/sessions" in [resource["uri"] for resource in resources]
    for number in (3, 4):
        with serve("--root", shop_root, "--ephemeral", environment={"XDG_RUNTIME_DIR": str(tmp_path)}):
            assert agent.ask({"id": number, **ask})["result"]["isError"] is False
    assert agent.end()[2] == 0


def test_the_token_is_not_in_any_message_or_log(server, agent):
    agent.begin()
    token = next(iter(json.loads(path.read_text())["token"] for path in pathlib.Path(server.state_home.name).glob("footbridge/*.json")))
    agent.send({"id": 1, "method": "tools/call", "params": {"name": "listSessions"}})
    agent.send({"id": 2, "method": "resources/list"})
    agent.send({"id": 3, "method": "resources/read", "params": {"uri": "footbridge://control/sessions"}})
    output, log, _ = agent.end()
    assert len(output.splitlines()) == 3 and token not in output + log


def test_a_wrong_server_address_is_an_error_of_the_tool(tmp_path):
    result = subprocess.run(
        [BINARY, "mcp", "--server", "http://127.0.0.1:1"], text=True, capture_output=True, timeout=20,
        env={**os.environ, "FOOTBRIDGE_CONTROL_TOKEN": "secret-token"},
        input='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listSessions","_meta":'
              '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n',
    )
    answer = json.loads(result.stdout)["result"]
    assert answer["isError"] and "127.0.0.1:1" in answer["content"][0]["text"] and "secret-token" not in result.stdout
    assert result.returncode == 0


def test_the_help_says_how_to_start_a_server_with_it():
    assert "footbridge exec --root site -- footbridge mcp" in " ".join(run("mcp", "--help").stdout.split())
