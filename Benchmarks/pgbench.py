"""pgbench as a peer: it writes the rows of purchases as Footbridge does, in the same number of transactions, and does nothing else."""

import os
import re
import subprocess

import load
import machine

#: The settings of Footbridge's own connections.
OPTIONS = "-c search_path=footbridge -c enable_seqscan=off -c jit=off -c synchronous_commit=on"
SEPARATOR = ","


def rate(database, clients, keys, together, transactions):
    """Returns purchases a second when as many clients as there were servers write the rows of purchases.

    Each has sessions of its own among `keys`, and writes one purchase of some sessions together in each transaction. The servers must have
    ended."""
    contents = {
        "transaction": database.text("convert_to(content, 'UTF8')", "queuedTransaction"),
        # As text, a value of the type `bytea` has each backslash doubled.
        "event": database.text("text", "pageEvent").replace("\\", "\\\\"),
        "answer": database.text("text", "pageAnswer").replace("\\", "\\\\"),
    }
    script = database.folder / "purchases.sql"
    script.write_text(_script(together))
    processes = [
        subprocess.Popen(_command(database, script, transactions, number, keys[number::clients][:together], contents), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, env={**os.environ, **database.environment, "PGOPTIONS": OPTIONS})
        for number in range(clients)
    ]
    outputs = [process.communicate() for process in processes]
    found = [re.search(r"^tps = ([0-9.]+) \(without", output, re.MULTILINE) for output, _ in outputs]
    if not all(found) or any("aborted" in errors for _, errors in outputs):
        raise RuntimeError(f"pgbench: {outputs}")
    return together * sum(float(each[1]) for each in found)


def prepare(database, clients, keys):
    """Makes the clients what the servers were: each has a lease, and owns its sessions."""
    for number in range(clients):
        name = f"pgbench {number}"
        database.query(f"""
            SET search_path = footbridge;
            INSERT INTO replica (id, address, markVersion, leaseEnd) VALUES ('{name}', '127.0.0.1:1', 1, 9000000000000000);
            INSERT INTO writer (id, epoch, number) VALUES ('{name}', 1, 0);
            INSERT INTO sessionOwner (sessionKey, replicaID, fence) SELECT key, '{name}', 1 FROM unnest(ARRAY{keys[number::clients]}) AS key;
            INSERT INTO page (sessionKey, id, lastSequence) SELECT key, 'pgbench', 0 FROM unnest(ARRAY{keys[number::clients]}) AS key;
        """)


def _command(database, script, transactions, number, keys, contents):
    values = {
        "number": 0, "writer": f"pgbench {number}", "keys": SEPARATOR.join(keys), "fences": SEPARATOR.join("1" for _ in keys),
        "correlation": load.ID, **{f"key{index}": key for index, key in enumerate(keys)}, **contents,
    }
    options = [option for name, value in values.items() for option in ("-D", f"{name}={value}")]
    command = [database.programs / "pgbench", "-n", "-M", "prepared", "-c", 1, "-t", transactions, *options, "-f", script, database.url]
    return machine.pinned(machine.CLIENT_CORE, *command)


def _script(together):
    """The statements of a transaction with one purchase of some sessions. They are sent without waiting for the results."""
    purchases = [
        f"""
        INSERT INTO queuedTransaction (sessionKey, id, content)
        VALUES (:key{index}, lpad(CAST(CAST(:number AS bigint) AS text), 36, '0'), :transaction)
        ON CONFLICT (sessionKey, id) DO UPDATE SET content = excluded.content;
        INSERT INTO pageEvent (sessionKey, pageID, sequence, action, text)
        VALUES (:key{index}, 'pgbench', CAST(:number AS bigint), 'onside.onTransactionsUpdated', :event)
        ON CONFLICT (sessionKey, pageID, sequence) DO UPDATE SET action = excluded.action, text = excluded.text;
        INSERT INTO pageAnswer (sessionKey, pageID, number, correlationID, action, text)
        VALUES (:key{index}, 'pgbench', CAST(:number AS bigint), :correlation, 'onside.purchase', :answer)
        ON CONFLICT (sessionKey, pageID, number) DO UPDATE
        SET correlationID = excluded.correlationID, action = excluded.action, text = excluded.text;
        """
        for index in range(together)
    ]
    return f"""
        \\set number :number + 1
        \\startpipeline
        BEGIN;
        WITH mark AS (UPDATE writer SET number = CAST(:number AS bigint), usedAt = now() WHERE id = :writer AND epoch = 1 RETURNING 1)
        SELECT 1 / count(*) FROM mark;
        SELECT checkFences(string_to_array(:keys, '{SEPARATOR}'), :writer, CAST(string_to_array(:fences, '{SEPARATOR}') AS bigint[]));
        {"".join(purchases)}
        COMMIT;
        \\endpipeline
    """
