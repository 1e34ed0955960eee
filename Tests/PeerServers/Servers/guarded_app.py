"""The servers of the reference folder, behind a token: `PEER=strawberry uvicorn guarded_app:app`.

A connection whose `connection_init` does not carry `{"token": "second"}` is refused in the way of each library.
"""

import importlib
import os

from starlette.applications import Starlette
from starlette.routing import Mount

PEER = os.environ["PEER"]
peer = importlib.import_module(PEER + "_app")


def is_welcome(payload):
    return (payload or {}).get("token") == "second"


if PEER == "strawberry":
    from strawberry.asgi import GraphQL
    from strawberry.exceptions import ConnectionRejectionError

    class Guarded(GraphQL):
        async def on_ws_connect(self, context):
            if not is_welcome(context.get("connection_params")):
                raise ConnectionRejectionError({"message": "no good token"})
            return await super().on_ws_connect(context)

    app = Guarded(peer.schema)
else:
    from ariadne.asgi import GraphQL
    from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler
    from ariadne.exceptions import WebSocketConnectionError

    def on_connect(websocket, payload):
        if not is_welcome(payload):
            raise WebSocketConnectionError({"message": "no good token"})

    def guarded(handler):
        return GraphQL(peer.schema, websocket_handler=handler(on_connect=on_connect))

    app = Starlette(
        routes=[Mount("/legacy", guarded(GraphQLWSHandler)), Mount("/", guarded(GraphQLTransportWSHandler))]
    )
