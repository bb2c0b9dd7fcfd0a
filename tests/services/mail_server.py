"""A mail server in a process of its own that writes the recipient and subject of each mail to a file.

python mail_server.py PORT FILE
"""

import asyncio
import email
import email.header
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP


class Handler:
    def __init__(self, file):
        self.file = file

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - the name that aiosmtpd calls
        message = email.message_from_bytes(envelope.content)
        subject = str(email.header.make_header(email.header.decode_header(message["Subject"])))
        with self.file.open("a") as file:
            file.write(f"{','.join(envelope.rcpt_tos)}\t{subject}\t{message['Message-ID']}\n")
        return "250 OK"


async def main(port, file):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(file), hostname="tests"), "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
