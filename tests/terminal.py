"""Types at the prompt as a person does, in a terminal of 80 columns: python3 terminal.py PROGRAM HOME."""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

program, home = sys.argv[1:]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    def __init__(self):
        # Whatever happens, nothing is left behind: the terminal goes with this process, and the program with it.
        signal.alarm(90)
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.execve(program, [program], {"HOME": home, "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = ""

    def type(self, keys, *expected):
        """Types keys and waits until each of these texts has been shown since, in this order."""
        os.write(self.end, keys.encode())
        for text in expected:
            until = time.monotonic() + 20
            while text not in self.seen:
                left = until - time.monotonic()
                if left <= 0 or not select.select([self.end], [], [], left)[0]:
                    sys.exit(f"after {keys!r} there is no {text!r} in {self.seen!r}")
                try:
                    self.seen += ESCAPES.sub("", os.read(self.end, 65536).decode(errors="replace"))
                except OSError:
                    sys.exit(f"after {keys!r} the program ended: {self.seen!r}")
            self.seen = self.seen.split(text, 1)[1]

    def leave(self):
        """Ctrl-D until the program has ended: one that comes between two lines is lost."""
        for _ in range(100):
            os.write(self.end, b"\x04")
            time.sleep(0.1)
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                assert os.waitstatus_to_exitcode(status) == 0
                return
        os.kill(self.child, signal.SIGKILL)
        sys.exit("the program does not end")


os.makedirs(f"{home}/.config/dice")
with open(f"{home}/.config/dice/rolls", "w") as rolls:
    rolls.write("strike = 2\n")
first = Terminal()
first.type("", "Type a roll such as 4d6kh3.", "dice> ")
first.type("2d20kh1", "advantage, mean 13.83")
first.type("\r", "2d20kh1 [", "] = ", "dice> ")
first.type("(2d6\r")
first.type("+ 3)\r", "(2d6 [", "] + 3) = ", "dice> ")
first.type("_ * 2\r", " * 2 = ", "dice> ")
first.type("str = 4\r", "str = 4\n", "dice> ")
first.type("1 + stri\t", "1 + strike")
first.type("\r", "strike = 2; 1 + strike = 3", "dice> ")
first.leave()
second = Terminal()
second.type("", "dice> ")
second.type("\x1b[A", "1 + strike")
second.type("\x1b[A", "str = 4")
second.type("\x1b[B\r", "strike = 2; 1 + strike = 3", "dice> ")
second.type("4d6k\t\t", "kh            keep the highest: 4d6kh3")
second.type("\x15")
second.leave()
