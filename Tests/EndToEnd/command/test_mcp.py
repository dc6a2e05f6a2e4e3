"""`footbridge mcp`: the control API for coding agents, driven by the public Python client and by raw messages."""

import asyncio
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import subprocess

import pytest
from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import ResourceUpdatedNotification

from footbridge_process import BUILD, PROJECT, run, serve

BINARY = str(BUILD / "footbridge")
COINS = "com.product.example.consumable"


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--present", "control", "--ephemeral") as server:
        yield server


def finish(coroutine):
    """Runs a coroutine in a thread of its own: in the main one, Playwright may have a loop already."""
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, coroutine).result(timeout=60)


def groups():
    """The tool of each operation."""
    document = json.loads((PROJECT / "web" / "api" / "openapi.json").read_text())
    return {operation["operationId"]: operation["tags"][0].lower()
            for methods in document["paths"].values() for operation in methods.values() if isinstance(operation, dict)}


GROUPS = groups()


def use(operation, session=None, **arguments):
    """The parameters of `tools/call` for an operation."""
    return {"name": GROUPS[operation], "arguments": {"operation": operation, "arguments": arguments} | ({"session": session} if session else {})}


async def ask(client, operation, session=None, **arguments):
    """Uses an operation, and returns the result of the tool."""
    parameters = use(operation, session, **arguments)
    return await client.call_tool(parameters["name"], parameters["arguments"])


def answer(result):
    """The answer of the control API in the result of a tool."""
    content = result["content"] if isinstance(result, dict) else [{"text": block.text} for block in result.content]
    return json.loads(content[-1]["text"])


def environment(server):
    return {**os.environ, "XDG_RUNTIME_DIR": server.state_home.name}


@contextlib.asynccontextmanager
async def connected(server, mode, message_handler=None):
    """A client of an agent, at the server that runs; it deletes the sessions that it has made."""
    parameters = StdioServerParameters(command=BINARY, args=["mcp"], env=environment(server))
    async with Client(stdio_client(parameters), mode=mode, message_handler=message_handler) as client:
        yield client
        for session in answer(await ask(client, "listSessions"))["sessions"]:
            await ask(client, "deleteSession", session["id"])


#: With initialize until 2025-11-25, and without it since 2026-07-28.
MODES = pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])


@MODES
def test_a_client_finds_tools_and_uses_them(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:
            assert client.protocol_version == version
            assert client.server_info.name == "footbridge" and "createSession" in client.instructions
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["journal"].annotations.read_only_hint is True
            assert tools["sessions"].annotations.destructive_hint is True
            made = await ask(client, "createSession", name="agent", clock={"frozen": True, "now": "2030-01-31T00:00:00Z"})
            assert not made.is_error and answer(made)["name"] == "agent"
            moved = await ask(client, "advanceClock", "agent", duration="P1M")
            assert answer(moved) == {"frozen": True, "now": "2030-02-28T00:00:00.000Z"}
            done = await ask(client, "relaunchSession")
            assert not done.is_error and done.content[0].text == "Done."

    finish(drive())


@MODES
def test_a_failed_tool_call_returns_its_error_to_the_model(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:

            async def failure(operation, **arguments):
                result = await ask(client, operation, **arguments)
                assert result.is_error
                return result.content[0].text

            assert "No session runs" in await failure("getClock")
            await ask(client, "createSession")
            assert "such as P1M" in await failure("advanceClock", duration="soon")
            assert "no rule" in await failure("getRule", rule="nothing")
            assert "There is no sheet at the moment" in await failure("answerSheet", approved=True)
            assert "It is called as createRule(on, then, " in await failure("createRule", on="onside.payment")
            assert "No entry matched" in await failure("waitForJournal", until={"kind": "page"}, timeout=1)
            with pytest.raises(MCPError):
                await client.call_tool("nothing", {})

    finish(drive())


@MODES
def test_sessions_and_journals_are_resources(server, mode, version):
    async def drive():
        async with connected(server, mode) as client:
            session = answer(await ask(client, "createSession", name="agent", account="built-in"))["id"]
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
            session = answer(await ask(client, "createSession"))["id"]
            journal = f"footbridge://control/sessions/{session}/journal"
            await client.subscribe_resource(journal)
            await ask(client, "changeClock", frozen=True)
            assert await asyncio.wait_for(changes.get(), 20) == journal
            await client.unsubscribe_resource(journal)

    finish(drive())


def test_a_listener_gets_changes_of_a_resource(server):
    async def drive():
        async with connected(server, "auto") as client:
            session = answer(await ask(client, "createSession"))["id"]
            journal = f"footbridge://control/sessions/{session}/journal"
            async with client.listen(resource_subscriptions=[journal]) as changes:
                await ask(client, "changeClock", frozen=True)
                change = await asyncio.wait_for(anext(aiter(changes)), 20)
                assert str(change.uri) == journal

    finish(drive())


def test_an_agent_can_start_its_own_server_with_exec(shop_root):
    async def drive():
        parameters = StdioServerParameters(
            command=BINARY, args=["exec", "--root", str(shop_root), "--present", "control", "--", BINARY, "mcp"], env=dict(os.environ)
        )
        async with Client(stdio_client(parameters), mode="legacy") as client:
            assert answer(await ask(client, "listSessions")) == {"sessions": []}

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
    agent.send({"id": 1, "method": "tools/call", "params": use("listSessions")})
    output, _, code = agent.end()
    assert json.loads(output)["result"]["isError"] is False and code == 0


def test_an_agent_makes_a_purchase_fail_and_then_succeed_in_six_uses_of_tools(agent, page):
    """What the agent reads is at most 40,000 characters, about 10,000 tokens."""
    agent.begin()
    read = [agent.ask({"id": "tools", "method": "tools/list"})]
    changed = {"action": "onside.onTransactionsUpdated"}

    def step(operation, **arguments):
        read.append(agent.ask({"id": len(read), "method": "tools/call", "params": use(operation, **arguments)}))
        result = read[-1]["result"]
        assert not result["isError"], result
        return answer(result)

    step("createSession", name="agent", account="built-in", present="auto")
    step("createRule", on="onside.payment", then={"error": "cancelled"}, times="once")
    page.goto(step("enterSession")["url"])

    def buy(state):
        page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] }).then(() => { onside.purchase({ productIdentifier: id }); })", COINS)
        return step("waitForJournal", until=changed | {"data": {"transactions": {"$contains": {"transactionState": state}}}})

    buy("failed")
    buy("purchased")
    [order] = step("listPurchases")["purchases"]
    assert order["product"] == COINS and len(read) == 1 + 6
    assert sum(len(json.dumps(each, ensure_ascii=False)) for each in read) <= 40_000


def test_the_rest_of_a_long_result_follows_by_its_cursor(agent):
    agent.begin()
    whole = ""
    result = agent.ask({"id": 1, "method": "tools/call", "params": {"name": "describe", "arguments": {"operation": "createSession"}}})["result"]
    while match := re.search(r"\n… [0-9]+ more characters: use the tool more with the cursor ([0-9]+)\.$", text := result["content"][0]["text"]):
        whole += text[: match.start()]
        result = agent.ask({"id": 1, "method": "tools/call", "params": {"name": "more", "arguments": {"cursor": match[1]}}})["result"]
    assert whole and json.loads((whole + text).partition("The other arguments: ")[2])["$defs"]
    again = agent.ask({"id": 1, "method": "tools/call", "params": {"name": "more", "arguments": {"cursor": "1"}}})["result"]
    assert again["isError"] and "Make the request again" in again["content"][0]["text"]


def test_an_error_names_the_argument_that_a_tool_lacks(agent):
    agent.begin()
    for number in (1, 2):
        agent.ask({"id": number, "method": "tools/call", "params": use("createSession")})
    result = agent.ask({"id": 3, "method": "tools/call", "params": use("getSession")})["result"]
    text = result["content"][0]["text"]
    assert result["isError"] and "Name one with the argument session." in text and "--" not in text


def test_malformed_input_is_answered_and_the_connection_stays_open(agent):
    agent.begin()
    for text, code in [("{", -32700), ("[]", -32600), ('"x"', -32600), ("\x00", -32700), ("[" * 100_000, -32700), ('{"id": 1}', -32600)]:
        assert agent.ask(text)["error"]["code"] == code
    assert agent.ask({"id": 2, "method": "nothing"})["error"]["code"] == -32601
    assert agent.ask({"id": 3, "method": "ping"})["result"] == {}


def test_a_request_that_is_cancelled_gets_no_answer(agent):
    agent.begin()
    session = answer(agent.ask({"id": 1, "method": "tools/call", "params": use("createSession")})["result"])["id"]
    agent.send({"id": 2, "method": "tools/call", "params": use("waitForJournal", session, until={"kind": "page"}, timeout=120_000)})
    agent.send({"method": "notifications/cancelled", "params": {"requestId": 2}})
    deleted = agent.ask({"id": 3, "method": "tools/call", "params": use("deleteSession", session)})
    assert deleted["id"] == 3
    assert agent.end() == ("", "", 0)


def test_requests_are_answered_while_another_one_waits(agent):
    agent.begin()
    session = answer(agent.ask({"id": 1, "method": "tools/call", "params": use("createSession")})["result"])["id"]
    agent.send({"id": 2, "method": "tools/call", "params": use(
        "waitForJournal", session, until={"action": "PATCH /clock"}, timeout=120_000)})
    agent.send({"id": 3, "method": "tools/call", "params": use("changeClock", session, frozen=True)})
    assert {agent.receive()["id"], agent.receive()["id"]} == {2, 3}
    agent.ask({"id": 4, "method": "tools/call", "params": use("deleteSession", session)})


def test_tools_report_a_missing_server_and_find_one_that_starts_later(shop_root, tmp_path):
    agent = Agent({**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})
    agent.begin()
    ask = {"method": "tools/call", "params": use("listSessions")}
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
    agent.send({"id": 1, "method": "tools/call", "params": use("listSessions")})
    agent.send({"id": 2, "method": "resources/list"})
    agent.send({"id": 3, "method": "resources/read", "params": {"uri": "footbridge://control/sessions"}})
    output, log, _ = agent.end()
    assert len(output.splitlines()) == 3 and token not in output + log


def test_a_wrong_server_address_is_an_error_of_the_tool(tmp_path):
    result = subprocess.run(
        [BINARY, "mcp", "--server", "http://127.0.0.1:1"], text=True, capture_output=True, timeout=20,
        env={**os.environ, "FOOTBRIDGE_CONTROL_TOKEN": "secret-token"},
        input='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sessions","arguments":{"operation":"listSessions"},"_meta":'
              '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n',
    )
    answer = json.loads(result.stdout)["result"]
    assert answer["isError"] and "127.0.0.1:1" in answer["content"][0]["text"] and "secret-token" not in result.stdout
    assert result.returncode == 0


def test_the_help_says_how_to_start_a_server_with_it():
    assert "footbridge exec --root site -- footbridge mcp" in " ".join(run("mcp", "--help").stdout.split())
