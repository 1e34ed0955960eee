"""Asks a mock server by the client `gql`: over HTTP and by both protocols over WebSockets.

usage: by_gql.py HTTP-ADDRESS WEBSOCKET-ADDRESS OPERATIONS
"""

import asyncio
import io
import json
import sys

import websockets
from gql import Client, FileVar, GraphQLRequest, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport
from graphql import print_schema

address, socket, operations = sys.argv[1:]
document = gql(open(operations, encoding="utf-8").read())
claims = 0


def claim(holds, text):
    global claims
    claims += 1
    if not holds:
        sys.exit(f"gql: {text}")


def request(operation, **variables):
    return GraphQLRequest(document, operation_name=operation, variable_values=variables)


async def operations_of(session, label):
    """Queries, mutations and errors, which are the same over every transport. `gql` checks them against the schema."""
    first = await session.execute(request("Character", id="7"))
    claim(first["character"]["id"] == "7", f"{label}: {first}")
    claim(first == await session.execute(request("Character", id="7")), f"{label}: another answer to the same query")
    name = f"by {label}"
    await session.execute(request("Rename", id="7", name=name))
    claim((await session.execute(request("Character", id="7")))["character"]["name"] == name, f"{label}: no echo")
    found = await session.execute(request("Search", text="a"))
    claim({each["__typename"] for each in found["search"]} <= {"Human", "Droid"}, f"{label}: {found}")
    try:
        failed = (await session.transport.execute(gql("{ nope }"))).errors
    except TransportQueryError as error:
        failed = error.errors
    claim(failed and "nope" in failed[0]["message"], f"{label}: an invalid query has no error")
    return first


async def over_http():
    async with Client(transport=AIOHTTPTransport(address), fetch_schema_from_transport=True) as session:
        claim("renameCharacter" in print_schema(session.client.schema), "the schema is not whole")
        first = await operations_of(session, "HTTP")
        results = await session.execute_batch([request("Character", id=str(id)) for id in range(5)])
        claim([each["character"]["id"] for each in results] == list("01234"), f"a list of operations: {results}")
        upload = gql("mutation ($file: Upload!) { addPicture(file: $file, of: 1) }")
        upload.variable_values = {"file": FileVar(io.BytesIO(b"picture"), filename="me.png")}
        claim((await session.execute(upload, upload_files=True))["addPicture"], "no file arrives")
    async with Client(transport=AIOHTTPTransport(address), fetch_schema_from_transport=True,
                      introspection_args={"input_value_deprecation": True, "directive_is_repeatable": True}) as session:
        claim(session.client.schema.subscription_type, "the whole introspection is not answered")
    return first


async def over_socket(protocol):
    transport = WebsocketsTransport(socket, subprotocols=[protocol])
    async with Client(transport=transport, fetch_schema_from_transport=True) as session:
        await operations_of(session, protocol)
        events = 0
        async for event in session.subscribe(request("Reviews")):
            claim(isinstance(event["reviewAdded"]["stars"], int), f"{protocol}: {event}")
            events += 1
            if events == 3:
                break
        # Many at once on one socket.
        found = await asyncio.gather(*[session.execute(request("Character", id=str(id))) for id in range(50)])
        claim([each["character"]["id"] for each in found] == [str(id) for id in range(50)], f"{protocol}: mixed up")


async def codes():
    """How the server closes connections that break the protocol."""
    begin = {"type": "connection_init"}
    start = {"type": "subscribe", "id": "1", "payload": {"query": "subscription { reviewAdded { stars } }"}}
    for messages, code in [([begin, begin], 4429), ([start], 4401), ([begin, start, start], 4409), ([{"type": "x"}], 4400)]:
        async with websockets.connect(socket, subprotocols=["graphql-transport-ws"]) as connection:
            try:
                for message in messages:
                    await connection.send(json.dumps(message))
                while True:
                    await connection.recv()
            except websockets.ConnectionClosed as closed:
                claim(closed.rcvd and closed.rcvd.code == code, f"{messages} is closed by {closed}")
    async with websockets.connect(socket, subprotocols=["other"]) as connection:
        try:
            await connection.recv()
        except websockets.ConnectionClosed as closed:
            claim(closed.rcvd and closed.rcvd.code == 4406, f"another protocol is closed by {closed}")


async def main():
    await over_http()
    for protocol in ["graphql-transport-ws", "graphql-ws"]:
        await over_socket(protocol)
    await codes()
    print(f"gql: {claims} claims hold over HTTP, graphql-transport-ws and graphql-ws")


asyncio.run(main())
