"""A TCP relay in a process of its own: stopped (SIGSTOP) it hangs like a server that hangs, killed it refuses.

python relay.py PORT HOST PORT
"""

import asyncio
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(port, host, to):
    async def accept(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(host, to)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
