"""Runs a client that ariadne-codegen has made of the schema that a mock server told it.

usage: by_ariadne.py HTTP-ADDRESS WEBSOCKET-ADDRESS   (in the folder of the package `made`)
"""

import asyncio
import contextlib
import sys

from made import Client

address, socket = sys.argv[1:]


async def main():
    async with Client(url=address, ws_url=socket) as client:
        # Its models are those of pydantic, which check each value.
        answers = [await client.character(id=str(id)) for id in range(100)]
        assert [answer.character.id for answer in answers] == [str(id) for id in range(100)], answers
        assert (await client.rename(id="3", name="Bea")).rename_character.name == "Bea"
        assert (await client.character(id="3")).character.name == "Bea"
        assert (await client.search(text="a")).search
        events = 0
        async with contextlib.aclosing(client.reviews()) as reviews:
            async for event in reviews:
                assert isinstance(event.review_added.stars, int), event
                events += 1
                if events == 2:
                    break
    print(f"ariadne-codegen: {len({type(answer.character) for answer in answers})} models read {len(answers) + 5} answers")


asyncio.run(main())
