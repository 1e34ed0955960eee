#!/usr/bin/env python3
"""Drives the server over real sockets, HTTP and WebSocket, and checks what it answers.

usage: check-server.py [path of the starwars-server program]
needs: pip install websockets
"""
import asyncio
import json
import subprocess
import sys
import urllib.error
import urllib.request

import websockets

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ".build/debug/starwars-server"


def post(url, body, accept="application/graphql-response+json", content_type="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": content_type, "Accept": accept})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers["Content-Type"], json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, error.headers["Content-Type"], json.loads(text) if text else None


def check_http(url):
    status, kind, body = post(url, {"query": "{ hero { name } }"})
    assert (status, body) == (200, {"data": {"hero": {"name": "R2-D2"}}}), body
    assert kind.startswith("application/graphql-response+json"), kind

    status, kind, body = post(url, {"query": "{ hero { nam } }"})
    assert status == 400 and "Did you mean" in body["errors"][0]["message"], body
    assert post(url, {"query": "{ hero { nam } }"}, accept="application/json")[:2] == (
        200, "application/json; charset=utf-8")
    assert post(url, b"{", accept="application/json")[0] == 400
    assert post(url, {"query": "{ hero { name } }"}, content_type="text/plain")[0] == 415

    status, _, body = post(url, {"query": "{ hero { name secretBackstory } }"})
    assert status == 200 and body["data"] == {"hero": {"name": "R2-D2", "secretBackstory": None}}, body
    assert body["errors"][0]["path"] == ["hero", "secretBackstory"], body
    assert body["errors"][0]["message"] == "secretBackstory is secret.", body


async def connect(url, initialise=True):
    socket = await websockets.connect(url, subprotocols=["graphql-transport-ws"])
    assert socket.subprotocol == "graphql-transport-ws", socket.subprotocol
    if initialise:
        await send(socket, type="connection_init")
        assert await receive(socket) == {"type": "connection_ack"}
    return socket


async def send(socket, **message):
    await socket.send(json.dumps(message))


async def receive(socket):
    return json.loads(await asyncio.wait_for(socket.recv(), 5))


async def close_code(socket):
    try:
        while True:
            await asyncio.wait_for(socket.recv(), 5)
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code


SUBSCRIPTION = {"query": "subscription ($e: Episode) { reviewAdded(episode: $e) { episode stars } }"}


async def check_operations(http, url):
    socket = await connect(url)
    await send(socket, type="ping", payload={"n": 1})
    assert await receive(socket) == {"type": "pong", "payload": {"n": 1}}

    await send(socket, id="q", type="subscribe", payload={"query": "{ hero { name } }"})
    assert await receive(socket) == {"id": "q", "type": "next", "payload": {"data": {"hero": {"name": "R2-D2"}}}}
    assert await receive(socket) == {"id": "q", "type": "complete"}
    await send(socket, id="q", type="subscribe", payload={"query": "{ hero { nope } }"})
    error = await receive(socket)
    assert error["type"] == "error" and error["payload"][0]["locations"], error

    await send(socket, id="s", type="subscribe", payload=SUBSCRIPTION | {"variables": {"e": "JEDI"}})
    await asyncio.sleep(0.2)
    mutation = "mutation ($e: Episode!, $s: Int!) { createReview(episode: $e, review: {stars: $s}) { id } }"
    for episode, stars in [("JEDI", 1), ("EMPIRE", 2), ("JEDI", 3)]:
        answer = post(http, {"query": mutation, "variables": {"e": episode, "s": stars}})
        assert "errors" not in answer[2], answer
    for stars in [1, 3]:
        data = {"reviewAdded": {"episode": "JEDI", "stars": stars}}
        assert await receive(socket) == {"id": "s", "type": "next", "payload": {"data": data}}
    await send(socket, id="s", type="complete")
    await send(socket, type="ping")
    assert await receive(socket) == {"type": "pong"}, "nothing follows a completed operation"
    await socket.close()


async def check_violations(url):
    async def code_after(*messages, initialise=True):
        socket = await connect(url, initialise)
        for message in messages:
            await socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
        return await close_code(socket)

    subscribe = {"id": "1", "type": "subscribe", "payload": SUBSCRIPTION}
    assert await code_after("{") == 4400
    assert await code_after(b"\x01") == 4400
    assert await code_after({"type": "unknown"}) == 4400
    assert await code_after({"type": "subscribe", "payload": SUBSCRIPTION}) == 4400
    assert await code_after({"id": "1", "type": "subscribe", "payload": {}}) == 4400
    assert await code_after(subscribe, initialise=False) == 4401
    assert await code_after(subscribe, subscribe) == 4409
    assert await code_after({"type": "connection_init"}) == 4429
    assert await code_after(initialise=False) == 4408
    socket = await websockets.connect(url, subprotocols=["graphql-ws"])
    assert await close_code(socket) == 4406


def main():
    server = subprocess.Popen([PROGRAM], stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        http = server.stdout.readline().split()[1]
        ws = server.stdout.readline().split()[1]
        check_http(http)
        asyncio.run(check_operations(http, ws))
        asyncio.run(check_violations(ws))
        print("The server at", http, "answers as it should.")
    finally:
        server.terminate()
        server.wait()


main()
