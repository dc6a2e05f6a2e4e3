"""How the server logs in to PostgreSQL: over TLS, and with a password from a file."""

import concurrent.futures
import os
import pathlib

import pytest

from buyer import PRODUCT
from certificates import Pair
from footbridge_process import StartFailure, serve
from postgresql import NAME, PostgreSQL, state_key
from wire_page import WirePage


@pytest.fixture(scope="module")
def authority():
    return Pair("The authority of the database", is_authority=True)


@pytest.fixture(scope="module")
def database(authority):
    with PostgreSQL(pair=Pair("localhost", issuer=authority, names=["localhost"])) as database:
        yield database


@pytest.fixture(scope="module")
def start(shop_root, catalog, tmp_path_factory):
    """Starts servers that log all they can."""
    key = state_key(tmp_path_factory.mktemp("key"))

    def start(url, **environment):
        return serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", url, "--state-key", key, "--log-level", "trace",
                     environment={name: str(value) for name, value in environment.items()})

    return start


@pytest.fixture
def trusted(authority, tmp_path):
    """The file with the certificate that servers trust."""
    return authority.write(tmp_path, "authority")[0]


@pytest.fixture
def service_file(database, trusted, tmp_path):
    """A service file with everything that is needed, also the password."""
    file = tmp_path / "services.conf"
    file.write_text(f"[shop]\nhost=localhost\nport={database.port}\ndbname={NAME}\nuser={NAME}\npassword={database.password}\n"
                    f"sslmode=verify-full\nsslrootcert={trusted}\n")
    file.chmod(0o600)
    return file


def verified(database, trusted, host="localhost"):
    return f"{database.url_at(database.port, host)}?sslmode=verify-full&sslrootcert={trusted}"


def texts_of(server):
    """What other programs can learn of a server: its log, its arguments and its environment."""
    process = pathlib.Path(f"/proc/{server.process.pid}")
    return ["".join(server.log), *((process / name).read_text() for name in ("cmdline", "environ"))]


def buy_and_check(server, database):
    page = WirePage(server.port)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="over TLS")
    page.wait_for_state("purchased", "over TLS")
    page.close()
    of_clients = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL"
    assert database.query(of_clients) == [["t"]]
    for text in texts_of(server):
        assert database.password not in text


@pytest.mark.parametrize("way", ["passfile", "PGPASSFILE", "service", "PGSERVICE"])
def test_the_server_verifies_the_database_certificate_and_logs_in_with_a_password_file(way, database, trusted, service_file, start):
    url, environment = {
        "passfile": (f"{verified(database, trusted)}&passfile={database.password_file}", {}),
        "PGPASSFILE": (verified(database, trusted), database.environment),
        "service": ("postgresql:///?service=shop", {"PGSERVICEFILE": service_file}),
        "PGSERVICE": ("postgresql://", {"PGSERVICE": "shop", "PGSERVICEFILE": service_file}),
    }[way]
    with start(url, **environment) as server:
        buy_and_check(server, database)


def test_the_error_about_an_untrusted_database_or_wrong_password_names_it(database, trusted, service_file, tmp_path, start):
    others, _ = Pair("Another authority", is_authority=True).write(tmp_path, "others")
    passwords = tmp_path / "passwords"
    passwords.write_text(f"*:*:*:{NAME}:something-else\n")
    passwords.chmod(0o600)
    refused = {
        "certificate verify failed": verified(database, others),
        'does not match host name "127.0.0.1"': verified(database, trusted, "127.0.0.1"),
        "password authentication failed": f"{verified(database, trusted)}&passfile={passwords}",
        # The database lets nobody in without TLS.
        "no encryption": f"{database.url_at(database.port)}?sslmode=disable",
        'postgresql:///?service=warehouse cannot be reached: definition of service "warehouse" not found':
            "postgresql:///?service=warehouse&password=something-else",
    }

    def refusal(url):
        with pytest.raises(StartFailure) as failure:
            start(url, PGSERVICEFILE=service_file, **database.environment)
        return failure.value

    # Each tries for five seconds.
    with concurrent.futures.ThreadPoolExecutor() as starters:
        for reason, failure in zip(refused, starters.map(refusal, refused.values())):
            assert failure.code == os.EX_TEMPFAIL
            assert reason in failure.log and "mend the address, the password or the certificate in --state" in failure.log
            assert database.password not in failure.log and "something-else" not in failure.log, failure.log
