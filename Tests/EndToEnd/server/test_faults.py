"""A disk that fails, is full or is slow at the n-th call of a purchase, a finish and a start: what succeeded is stored exactly
once, and what failed is not.

A run tries a random choice of the cases; `FOOTBRIDGE_FAULTS=all`, as in `make soak`, tries all.
"""

import concurrent.futures
import contextlib
import itertools
import os
import random
import shutil
import signal
import urllib.request

import pytest

import faults
from buyer import PRODUCT, orders_of
from faults import EIO, ENOSPC, HOLD, SHORT, Faults
from footbridge_process import LONG, StartFailure, serve
from raw_http import Client
from short_form import SEED
from wire_page import Rejection, WirePage

IS_WHOLE = os.environ.get("FOOTBRIDGE_FAULTS") == "all"
#: How many cases of each test a run tries otherwise.
SAMPLE = 12
pytestmark = pytest.mark.timeout(3600 if IS_WHOLE else 600)

#: The errors of a call whose change cannot be stored, as the contract has them.
NOT_STORED = "bridge.bridgeDetached"
#: The kinds of faults, each for one call alone and for all calls from that one on.
KINDS = list(itertools.product([EIO, ENOSPC, SHORT], [1, 0]))
WRITES = {"write", "pwrite"}


@pytest.fixture(scope="session")
def fault_library(tmp_path_factory):
    return faults.library(tmp_path_factory.mktemp("faults"))


@pytest.fixture
def disk(fault_library, tmp_path):
    """The disk with the state directory."""
    disk = Faults(fault_library, tmp_path / "state")
    yield disk
    disk.off()


@pytest.fixture
def figures(capsys, request):
    """Counts the tried cases, and prints the number."""
    figures = {"cases": 0, "faults": 0, "kills": 0, "purchases": 0, "refused": 0}
    yield figures
    with capsys.disabled():
        print(f"\n{request.node.name}: " + ", ".join(f"{value} {name}" for name, value in figures.items()) + f" (seed {SEED})")


def tried(cases, operation_of):
    """Returns the cases to try: all, or a random choice with every operation."""
    cases = list(cases)
    if IS_WHOLE:
        return cases
    random.Random(SEED).shuffle(cases)
    seen = {}
    ranks = []
    for case in cases:
        operation = operation_of(case)
        seen[operation] = seen.get(operation, 0) + 1
        ranks.append(seen[operation])
    order = sorted(range(len(cases)), key=lambda place: ranks[place])
    return [cases[place] for place in order[:SAMPLE]]


def fault_cases(calls):
    """Returns each call with each kind of fault that it can have."""
    return tried(
        ((number, fault, count) for number, call in enumerate(calls, 1) for fault, count in KINDS
         if fault != SHORT or call.operation in WRITES),
        lambda case: (calls[case[0] - 1].operation, calls[case[0] - 1].file),
    )


class Shop:
    """A server on such a disk, which the tests kill and restart at the same port, and a page that records what the server tells it."""

    def __init__(self, disk, figures, shop_root, catalog, *arguments):
        self.disk = disk
        self.figures = figures
        self.arguments = ["--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", disk.folder, *arguments]
        self.server = None
        self.page = None
        self.bought = []
        self.finished = set()
        #: The purchases and the finishes whose effect is unknown, according to the server.
        self.undecided = []
        self.tokens = itertools.count()

    def start(self):
        port = self.server.port if self.server else 0
        self.server = serve(*self.arguments, port=port, environment=self.disk.environment)
        return self.server

    def begin_anew(self):
        """Discards everything, and begins with an empty folder."""
        self.close()
        shutil.rmtree(self.disk.folder, ignore_errors=True)
        self.bought, self.finished, self.undecided = [], set(), []
        self.start()
        self.open()
        self.purchase()

    def close(self):
        """Ends the page and the server."""
        if self.page:
            self.page.vanish()
        self.stop()

    def stop(self):
        """Stops the server if it runs."""
        self.disk.off()
        if self.server and self.server.process.poll() is None:
            self.server.process.kill()
            self.server.process.wait()

    def kill(self):
        self.server.signal(signal.SIGKILL)
        self.figures["kills"] += 1

    def open(self, session=None):
        """Opens the page, which loads the product."""
        self.page = WirePage(self.server.port, session=session)
        self.page.call("onside.loadProducts", productIdentifiers=[PRODUCT])

    def start_purchase(self):
        token = f"token-{next(self.tokens)}"
        return token, self.page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=token)

    def purchase(self):
        """Buys, and returns the token, or the error of the purchase."""
        token, call = self.start_purchase()
        return self.settle(token, call)

    def settle(self, token, call):
        """Records the answer to a purchase."""
        try:
            call.result(20)
        except Rejection as rejection:
            self.refused(token, rejection)
            return rejection
        self.figures["purchases"] += 1
        self.bought.append(token)
        # After the next stored change, a lost change cannot come back.
        self.undecided = []
        return token

    def refused(self, token, rejection):
        """Records that a purchase or a finish has failed."""
        self.figures["refused"] += 1
        assert str(rejection) == NOT_STORED and "cannot write to its state directory" in rejection.message
        if "had no effect" in rejection.message:
            return
        # The server says that the effect is unknown only if the disk has accepted the change, failed to sync it, and then accepted no more writes.
        faulty = [call for call in self.disk.calls() if call.is_faulty]
        assert "It is unknown whether" in rejection.message
        assert faulty[0].operation == "fdatasync" and len(faulty) > 1
        self.undecided.append(token)

    def finish(self, token):
        [transaction] = [each for each in self.queue() if each["payment"]["appAccountToken"] == token]
        try:
            self.page.call("onside.finishTransaction", timeout=20, id=transaction["id"])
        except Rejection as rejection:
            return self.refused(token, rejection)
        self.finished.add(token)
        assert token not in {each["payment"]["appAccountToken"] for each in self.queue()}

    def queue(self):
        return self.page.call("onside.getTransactions", timeout=20)["transactions"]

    def told(self, state=None):
        """Returns the tokens of all transactions that the page has received, in this state or in any."""
        return {
            each["payment"]["appAccountToken"] for _, _, data in list(self.page.events) for each in data.get("transactions", [])
            if state in (None, each["transactionState"])
        }

    def check(self):
        """Compares what the session holds, and what the page has received, with the recorded answers."""
        self.decide([each["payment"]["appAccountToken"] for each in self.queue()])
        for token in self.bought[-1:]:
            self.page.wait_for_state("purchased", token=token)
        queue = self.queue()
        assert [each["payment"]["appAccountToken"] for each in queue] == [each for each in self.bought if each not in self.finished]
        assert {each["transactionState"] for each in queue} <= {"purchased"}
        if self.bought:
            # Nobody is signed in before the first purchase.
            orders = orders_of(self.page.call("onside.getSignedInAppsHistory", timeout=20)["string"])
            assert [order["app_account_token"] for order in orders] == self.bought
        assert self.told() <= set(self.bought), "the page was told of a purchase that failed"
        assert self.page.violations == []

    def decide(self, queue):
        """Decides unknown effects by what the session holds now."""
        for token in self.undecided:
            if token in self.bought:
                self.finished |= {token} - set(queue)
            elif token in queue:
                self.bought.append(token)
        self.undecided = []

    def check_answers(self):
        """Checks that the server answers in every state of the disk, and reports an error for a lost change."""
        with contextlib.suppress(Rejection):
            self.queue()
        assert urllib.request.urlopen(self.server.url + "/__footbridge/health", timeout=20).status == 200


@pytest.fixture
def shop(disk, figures, shop_root, catalog):
    shop = Shop(disk, figures, shop_root, catalog)
    yield shop
    shop.close()


def name_of(case, calls):
    number, fault, count = case
    call = calls[number - 1]
    return f"{faults.NAMES[fault]} {'once' if count else 'and on'} at call {number} of {len(calls)}, {call.operation} of {call.file}"


def counted(shop, action):
    """Returns the system calls of an operation without a fault."""
    shop.disk.on()
    action()
    return shop.disk.off()


def buy_again(shop):
    """Buys on a disk that works again. A change that was being written before that can still make the purchase fail."""
    assert any(not isinstance(shop.purchase(), Rejection) for _ in range(3)), "nothing can be bought any more"


class Problems:
    """The problems of all cases."""

    def __init__(self, shop):
        self.shop = shop
        self.texts = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        assert kind or not self.texts, "\n".join(self.texts)

    @contextlib.contextmanager
    def of(self, name):
        """Records a problem of a case. The next case then begins with an empty folder."""
        try:
            yield
        except (AssertionError, Rejection, StartFailure) as problem:
            self.texts.append(f"{name}: {problem}")
            self.shop.begin_anew()


def refuse_purchases(shop, case):
    """Buys on a faulty disk until a purchase succeeds or the case is over."""
    number, fault, count = case
    shop.disk.on(fault, number, count)
    result = shop.purchase()
    shop.check_answers()
    if count == 0 and isinstance(result, Rejection):
        # The disk is still faulty, so every further purchase fails.
        shop.purchase()
        shop.check_answers()
    shop.figures["faults"] += shop.disk.injected
    shop.figures["cases"] += 1
    shop.disk.off()
    if isinstance(result, Rejection):
        shop.server.wait_for_log("cannot be written")


def test_a_purchase_on_a_faulty_disk_is_refused_or_made_once(shop):
    chance = random.Random(SEED)
    shop.begin_anew()

    def buy():
        shop.page.wait_for_state("purchased", token=shop.purchase())

    calls = max((counted(shop, buy) for _ in range(3)), key=len)
    with Problems(shop) as problems:
        for case in fault_cases(calls):
            with problems.of(name_of(case, calls)):
                refuse_purchases(shop, case)
                # The same server, or the next one, uses a disk that works again.
                if chance.random() < 0.5:
                    buy_again(shop)
                shop.kill()
                shop.start()
                shop.check()


def test_a_finish_on_a_faulty_disk_is_refused_or_lasts(shop, figures):
    shop.begin_anew()

    def finish():
        shop.finish(shop.bought[-1])

    def prepare():
        shop.page.wait_for_state("purchased", token=shop.purchase())

    prepare()
    calls = counted(shop, finish)
    with Problems(shop) as problems:
        for case in fault_cases(calls):
            number, fault, count = case
            with problems.of(name_of(case, calls)):
                prepare()
                shop.disk.on(fault, number, count)
                finish()
                shop.check_answers()
                figures["faults"] += shop.disk.injected
                figures["cases"] += 1
                shop.disk.off()
                shop.kill()
                shop.start()
                shop.check()


def test_a_purchase_delayed_by_the_disk_blocks_no_other_page_and_is_made_once_over_a_kill(shop, figures):
    shop.begin_anew()
    other = WirePage(shop.server.port)
    other.call("onside.getTransactions")

    def buy():
        shop.page.wait_for_state("purchased", token=shop.purchase())

    buy()
    calls = counted(shop, buy)
    cases = tried(itertools.product(range(1, len(calls) + 1), [True, False]), lambda case: (calls[case[0] - 1].operation, case[1]))
    with Problems(shop) as problems:
        for number, is_killed in cases:
            name = name_of((number, HOLD, 1), calls) + (", killed" if is_killed else "")
            with problems.of(name):
                shop.disk.on(HOLD, number)
                token, call = shop.start_purchase()
                shop.disk.wait_for_hold(lambda: token in shop.told("purchased"))
                assert other.call("onside.getTransactions", timeout=20) == {"transactions": []}
                assert urllib.request.urlopen(shop.server.url, timeout=20).status == 200
                # A session that the server reads from the store does not wait either.
                new = WirePage(shop.server.port)
                assert new.call("onside.getTransactions", timeout=20) == {"transactions": []}
                new.close()
                figures["faults"] += shop.disk.injected
                figures["cases"] += 1
                if is_killed:
                    shop.kill()
                    shop.disk.off()
                    shop.start()
                    # The page sends unanswered calls again.
                else:
                    shop.disk.off()
                assert shop.settle(token, call) == token
                shop.check()
    other.close()


#: The allowed exit codes of a command, from sysexits.h.
SYSEXITS = range(64, 79)
KEYS = ["onside-signing-key.pem", "today-signing-key.pem", "tls-authority.pem", "tls-authority.crt", "document-tickets.key"]


def start_on(shop, case, figures):
    """Starts the server on a faulty disk. It works, or says in one line why it does not. Returns whether it has started."""
    number, fault, count = case
    shop.disk.on(fault, number, count)
    try:
        shop.start()
    except StartFailure as failure:
        figures["refused"] += 1
        assert failure.code in SYSEXITS, (failure.code, failure.log)
        [line] = [line for line in failure.log.splitlines() if line.startswith("footbridge:")]
        assert str(shop.disk.folder) in line and "--state" in line, line
        assert [each for each in failure.log.splitlines() if each != line and " warning " not in each and " info " not in each] == []
        return False
    finally:
        figures["faults"] += shop.disk.injected
        figures["cases"] += 1
    return True


def keys_in(folder):
    return {name: (folder / name).read_bytes() for name in KEYS if (folder / name).exists()}


def test_a_first_start_on_a_faulty_disk_fails_in_one_line_or_works_and_the_next_one_works(shop, figures):
    shop.arguments += ["--tls-port", 0]
    folder = shop.disk.folder
    calls = counted(shop, shop.start)
    shop.close()
    with Problems(shop) as problems:
        for case in fault_cases(calls):
            with problems.of(name_of(case, calls)):
                shop.close()
                shutil.rmtree(folder, ignore_errors=True)
                shop.bought = []
                if start_on(shop, case, figures):
                    keys = keys_in(folder)
                    assert len(keys) == len(KEYS)
                    shop.disk.off()
                    shop.open()
                    shop.page.wait_for_state("purchased", token=shop.purchase())
                    shop.kill()
                    shop.start()
                    assert keys_in(folder) == keys
                else:
                    shop.disk.off()
                    shop.start()
                    shop.open()
                    assert len(keys_in(folder)) == len(KEYS)
                shop.check()
                assert list(folder.glob("*.damaged-*")) == []


def test_a_server_starts_with_a_warning_if_it_cannot_write_the_dashboards_port(shop, figures):
    calls = counted(shop, shop.start)
    steps = {
        call.operation: number for number, call in enumerate(calls, 1)
        if call.file.startswith("dashboard-port") and call.operation in ("write", "fsync", "rename")
    }
    assert len(steps) == 3
    with Problems(shop) as problems:
        for number in steps.values():
            with problems.of(name_of((number, EIO, 1), calls)):
                shop.stop()
                shutil.rmtree(shop.disk.folder)
                assert start_on(shop, (number, EIO, 1), figures)
                shop.server.wait_for_log("tabs of the dashboard will not find it")


def test_a_key_that_is_written_in_two_parts_is_whole(shop, figures):
    shop.arguments += ["--tls-port", 0]
    calls = counted(shop, shop.start)
    numbers = [number for number, call in enumerate(calls, 1) if call.operation == "write"]
    assert len(numbers) >= len(KEYS)
    with Problems(shop) as problems:
        for number in numbers:
            with problems.of(name_of((number, SHORT, 1), calls)):
                shop.stop()
                shutil.rmtree(shop.disk.folder)
                assert start_on(shop, (number, SHORT, 1), figures)
                keys = keys_in(shop.disk.folder)
                shop.disk.off()
                shop.kill()
                shop.start()
                assert keys_in(shop.disk.folder) == keys


def test_a_start_on_a_faulty_disk_does_not_change_stored_data(shop, figures, tmp_path):
    shop.arguments += ["--tls-port", 0]
    folder, template = shop.disk.folder, tmp_path / "template"
    shop.begin_anew()
    for _ in range(2):
        shop.page.wait_for_state("purchased", token=shop.purchase())
    shop.finish(shop.bought[0])
    shop.kill()
    shop.page.vanish()
    session = shop.page.session
    shutil.copytree(folder, template)
    calls = counted(shop, shop.start)
    bought, finished = shop.bought, shop.finished
    with Problems(shop) as problems:
        for case in fault_cases(calls):
            with problems.of(name_of(case, calls)):
                shop.stop()
                shutil.rmtree(folder)
                shutil.copytree(template, folder)
                shop.bought, shop.finished = bought, finished
                if start_on(shop, case, figures):
                    shop.page = WirePage(shop.server.port, session=session)
                    with contextlib.suppress(Rejection):
                        shop.queue()
                    shop.page.vanish()
                    shop.disk.off()
                    shop.kill()
                shop.disk.off()
                shop.start()
                shop.page = WirePage(shop.server.port, session=session)
                shop.check()
                shop.page.vanish()
                assert keys_in(folder) == keys_in(template)
                assert list(folder.glob("*.damaged-*")) == []


def test_a_deletion_on_a_full_disk_is_refused_and_the_session_remains(disk):
    with serve("--state", disk.folder, environment=disk.environment) as server:
        control = server.control()
        path = f"/sessions/{control('POST', '/sessions', {'name': 'mine'})['id']}"
        disk.on(ENOSPC, 1, 0)
        refused = control.request("DELETE", path)
        disk.off()
        assert refused.status == 507
        assert control("GET", path)["name"] == "mine"
        assert control.request("DELETE", path).status == 204
        assert control.request("GET", path).status == 404


#: Requests that change a session, with their bodies. `ORDER` and `FAILED` are the ids of its orders and transactions.
CHANGES = [
    ("PATCH", "", {"name": "changed"}), ("PATCH", "", {"account": None}), ("PATCH", "", {"platform": "macos"}), ("PATCH", "", {"present": "auto"}),
    ("PATCH", "", {"today": {"signedIn": False}}), ("PATCH", "/clock", {"now": "2030-01-01T00:00:00Z"}), ("POST", "/clock/advance", {"duration": "P40D"}),
    ("PATCH", "/settings", {"askToBuy": True}), ("POST", "/purchases", {"product": PRODUCT}), ("POST", "/purchases/ORDER/refund", {}),
    ("DELETE", "/purchases/ORDER", None), ("DELETE", "/purchases", None), ("POST", "/transactions", {"product": PRODUCT, "error": "cancelled"}),
    ("POST", "/tokens/revoke", None), ("PUT", "/bridges/acme", {"channels": {"acme": {"reply": True}}, "answers": {"a": {"reply": 1}}}),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]} {change[1]} {change[2]}")
def test_a_request_that_gets_507_has_changed_nothing(disk, catalog, change):
    method, path, body = change
    with serve("--catalog", catalog, "--state", disk.folder, environment=disk.environment) as server:
        control = server.control()
        session = f"/sessions/{control.session(name='mine', account='built-in', clock={'frozen': True})['id']}"
        control("POST", session + "/purchases", {"product": PRODUCT})

        def state():
            journal = {"entries", "cursor", "dropped"}
            whole = {name: value for name, value in control("GET", session).items() if name not in journal}
            return [whole, *(control("GET", f"{session}/{part}") for part in ("purchases", "settings", "transactions", "bridges"))]

        before = state()
        disk.on(ENOSPC, 1, 0)
        answer = control.request(method, session + path.replace("ORDER", before[1]["purchases"][0]["id"]), body)
        disk.off()
        assert (answer.status, answer.json["detail"].split(":")[0]) == (507, "The request had no effect")
        assert state() == before


def orders(control, sessions):
    """The ids of the orders of each session."""
    return [[each["id"] for each in control("GET", f"/sessions/{session}/purchases")["purchases"]] for session in sessions]


@pytest.mark.parametrize("restart", ["reset", "reinstall", "relaunch"])
def test_a_restart_that_a_full_disk_prevents_leaves_the_session_as_it_was(disk, catalog, restart):
    arguments = ["--catalog", catalog, "--state", disk.folder]
    with serve(*arguments, environment=disk.environment) as server:
        control = server.control()
        path = f"/sessions/{control.session(name='mine', account='built-in')['id']}"

        def state():
            session = control("GET", path)
            purchases = control("GET", path + "/purchases")["purchases"]
            return [session["name"], session["account"], session["clock"]["frozen"], [each["id"] for each in purchases]]

        for _ in range(3):
            control("POST", path + "/purchases", {"product": PRODUCT})
        control("PATCH", path + "/clock", {"frozen": True})
        before = state()
        disk.on(ENOSPC, 1, 0)
        refused = control.request("POST", f"{path}/{restart}")
        disk.off()
        assert refused.status == 507 and state() == before
        assert "The session is as it was, but its app was launched again: the server cannot write" in refused.json["detail"]
        # Nor does the next change make the restart lasting.
        control("PATCH", path, {"name": "changed"})
        server.signal(signal.SIGKILL)
    with serve(*arguments) as server:
        control = server.control()
        assert state() == ["changed", *before[1:]]
        assert control.request("POST", f"{path}/{restart}").status == 204


def test_a_disk_that_fails_for_a_moment_loses_nothing(disk, catalog):
    """Every third read and write fails. SQLite then calls a file damaged that is not."""
    arguments = ["--catalog", catalog, "--state", disk.folder]

    with serve(*arguments) as server:
        control = server.control()
        sessions = [control.session(account="built-in")["id"] for _ in range(30)]
        for session in sessions:
            control("POST", f"/sessions/{session}/purchases", {"product": PRODUCT})
        bought = orders(control, sessions)
    # This server has nothing in memory yet.
    with serve(*arguments, environment=disk.environment) as server:
        control = server.control()
        disk.on(EIO, 1, 0, every=3, reads=True)
        for session in sessions:
            control.request("POST", f"/sessions/{session}/purchases", {"product": PRODUCT})
        assert disk.injected
        disk.off()
        # What was refused is tried again, once the disk is back.
        for session, [before] in zip(sessions, bought):
            after = [each["id"] for each in control("GET", f"/sessions/{session}/purchases")["purchases"]]
            assert before in after
            control("POST", f"/sessions/{session}/purchases", {"product": PRODUCT})
        bought = orders(control, sessions)
        server.signal(signal.SIGKILL)
    assert list(disk.folder.glob("*.damaged-*")) == []
    with serve(*arguments) as server:
        assert orders(server.control(), sessions) == bought


def test_a_server_that_starts_on_a_disk_that_cannot_be_read_leaves_the_store(disk):
    with serve("--state", disk.folder) as server:
        session = server.control().session(name="mine")["id"]
    disk.on(EIO, 1, 0, every=3, reads=True)
    with contextlib.suppress(StartFailure), serve("--state", disk.folder, environment=disk.environment):
        pass
    disk.off()
    assert list(disk.folder.glob("*.damaged-*")) == []
    with serve("--state", disk.folder) as server:
        assert server.control()("GET", f"/sessions/{session}")["name"] == "mine"


def test_the_log_has_one_line_about_a_full_disk_however_many_sessions_meet_it(disk):
    with serve("--state", disk.folder, environment=disk.environment) as server:
        control = server.control()
        paths = [f"/sessions/{control.session()['id']}" for _ in range(5)]

        def change():
            return {control.request("PATCH", path, {"name": "changed"}).status for path in paths}

        disk.on(ENOSPC, 1, 0)
        assert change() == change() == {507}
        disk.off()
        assert change() == {200}
        server.wait_for_log("The store can be written again")
    assert sum("The store cannot be written" in line for line in server.log) == 1
    assert not [line for line in server.log if "cannot be stored" in line]


def send_with_token(client, control, method, path, body=b""):
    """Sends a request to the control API, and does not wait for the answer."""
    client.send(f"{method} /__footbridge/api/v1{path} HTTP/1.1\r\nHost: {client.host}\r\nAuthorization: Bearer {control.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n", body)


def test_a_server_whose_disk_does_not_answer_says_so_to_those_who_wait_and_ends(disk):
    with serve("--state", disk.folder, "--drain-timeout", 1, environment=disk.environment) as server:
        control = server.control()
        paths = [f"/sessions/{control.session()['id']}" for _ in range(8)]
        disk.on(HOLD, 1, 0)
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(contextlib.closing(Client(server))) for _ in paths]
            for client, path in zip(clients, paths):
                send_with_token(client, control, "PATCH", path, b'{"name": "changed"}')
            disk.wait_for_hold(lambda: False)
            # Once this is answered, the server has read what came before.
            assert Client(server).get("/__footbridge/health").status == 200
            server.process.send_signal(signal.SIGTERM)
            assert {client.response().status for client in clients} == {503}
        assert server.process.wait(timeout=60) == 0
        disk.off()
        server.wait_for_log("error", "could not be stored in time")
        server.log_reader.join(timeout=LONG)
        # The stop has not waited for the store, either.
        assert not [line for line in server.log if "It is not closed" in line]


def test_many_refunds_that_wait_for_the_disk_are_answered_at_the_stop_and_lose_nothing(disk, catalog):
    arguments = ("--state", disk.folder, "--catalog", catalog, "--drain-timeout", 2)
    with serve(*arguments, environment=disk.environment) as server, contextlib.ExitStack() as stack:
        control = server.control()
        sessions = [control.session(account="built-in")["id"] for _ in range(8)]
        for session in sessions:
            control("POST", f"/sessions/{session}/purchases", {"product": PRODUCT, "quantity": 100})
        bought = orders(control, sessions)
        disk.on(HOLD, 1, 0)
        clients = []
        for session, ids in zip(sessions, bought):
            for id in ids:
                client = stack.enter_context(contextlib.closing(Client(server)))
                send_with_token(client, control, "POST", f"/sessions/{session}/purchases/{id}/refund")
                clients.append(client)
        disk.wait_for_hold(lambda: False)
        # Once this is answered, the server has read what came before.
        assert Client(server).get("/__footbridge/health").status == 200
        server.process.send_signal(signal.SIGTERM)
        assert [client.response().status for client in clients] == [503] * 800
        assert server.process.wait(timeout=60) == 0
        disk.off()
    with serve(*arguments) as server:
        assert orders(server.control(), sessions) == bought
