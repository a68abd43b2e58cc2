"""Small programs in which Python's constructs meet: each says what it sees, and some end with an error."""

import sys
from textwrap import dedent

PROGRAMS: dict[str, str] = {
    "docstrings and future": '''
        """The module's."""
        from __future__ import annotations
        def f(a: "int or None" = (1 if True else 2)) -> x if y else z:
            """The function's."""
        class C:
            """The class's."""
            size: int or str = 3
        say((__doc__, f.__doc__, C.__doc__, f.__annotations__, C.__annotations__, f(), C.size))
    ''',
    "class bodies": '''
        class Meta(type):
            def __new__(meta, name, bases, namespace):
                say([key for key in namespace if key not in ("__module__", "__qualname__", "__firstlineno__",
                                                              "__static_attributes__")])
                return super().__new__(meta, name, bases, namespace)
        class C(metaclass=Meta):
            __slots__ = ("a", "_C__b") if True else ()
            for i in range(2):
                if i:
                    x = i
                else:
                    y = [n for n in range(3) if n]
            def __init__(self):
                self.a = 1
                self.__b = 2 or 3
            def get(self): return self.__b and self.a
        say((C().get(), C.x, C.y, hasattr(C(), "__dict__")))
    ''',
    "scopes": '''
        counter = 0
        def outer():
            global counter
            n = 0
            def inner():
                nonlocal n
                n += 1 if n < 5 else 2
                return n
            counter += inner() + inner()
            return n, sorted(locals())
        say((outer(), counter))
    ''',
    "super without arguments": '''
        class A:
            def f(self): return ["A"]
        class B(A):
            def f(self):
                if self:
                    return [*super().f(), __class__.__name__]
            @classmethod
            def g(cls): return super().__name__ if hasattr(super(), "__name__") else cls.__name__
        say((B().f(), B.g()))
    ''',
    "values of and and or": '''
        class Odd:
            def __bool__(self): raise ValueError("no truth")
        odd = Odd()
        say([0 or "", 1 and [], None or 0 or (), "a" and "b" and 3, not (1 and 0)])
        say([(0 or odd) is odd, (1 and odd) is odd])
        say([x or y and z for x in (0, 1) for y in (0, 2) for z in (0, 3)])
        if odd and 1:
            pass
    ''',
    "loops": '''
        def f(limit):
            seen = []
            for i in range(10):
                if i == limit: break
                if i % 2: continue
                seen.append(i)
            else:
                seen.append("all")
            while True:
                if len(seen) > 6: break
                seen.append("x")
            while seen and seen[-1] == "x":
                seen.pop()
            else:
                seen.append("end")
            return seen
        say([f(3), f(20)])
    ''',
    "errors": '''
        def f(x):
            try:
                if x == 1: raise ValueError("one")
                if x == 2: raise KeyError("two") from None
            except ValueError as error:
                return str(error)
            except (KeyError, TypeError):
                raise
            else:
                return "fine"
            finally:
                say(("finally", x))
        say(f(0)); say(f(1))
        f(2)
    ''',
    "groups of errors": '''
        try:
            raise ExceptionGroup("many", [ValueError(1), TypeError(2), KeyError(3)])
        except* ValueError as group:
            say(group.exceptions)
        except* (TypeError, KeyError) as group:
            say(len(group.exceptions) if group else 0)
    ''',
    "match": '''
        def f(x):
            match x:
                case 0 | 1: return "bit"
                case {"k": v, **rest} if v > 1 and rest: return ("map", v, rest)
                case [a, *b]: return ("list", a, b)
                case str(s) if s.startswith("a"): return s
                case float() as number: return number
            return "none"
        say([f(x) for x in (0, {"k": 2, "z": 1}, {"k": 1}, [1, 2], "abc", "b", 2.5, None)])
        match 5:
            case _: say("any")
    ''',
    "comprehensions": '''
        y = 5
        say([z for x in range(10) if x % 2 if (z := x * y) > 10]); say(z)
        say({k: v for k, v in zip("ab", range(2)) if v or k})
        say(sorted({x if x > 1 else -x for x in range(4)}))
        gen = (i for row in [[1, 0], [2]] for i in row if i)
        say(next(gen)); say(list(gen))
        say([[j for j in range(i) if j] for i in range(4)])
        class C:
            items = [1, 2]
            doubled = [i * 2 for i in items if i > 1]
        say(C.doubled)
    ''',
    "generators": '''
        def gen(n):
            got = yield n or "none"
            while got:
                got = yield (got if got > 1 else "one")
            return "end"
        def all_of():
            result = yield from gen(0)
            say(result)
        it = all_of()
        say([next(it), it.send(1), it.send(5)])
        say(list(it))
    ''',
    "asynchronous": '''
        import asyncio
        class Manager:
            async def __aenter__(self): return 3
            async def __aexit__(self, *_): return False
        async def numbers(n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i
        async def main():
            async with Manager() as m:
                async for i in numbers(m):
                    if i: say(i)
                else:
                    say("end")
            return [x async for x in numbers(4) if x and await asyncio.sleep(0, True)]
        say(asyncio.run(main()))
    ''',
    "text with values": '''
        x, w = 3.14159, 8
        say(f"{x if x else 0:>{w or 1}.2f}|{x=}|{'a' and 'b'!r}|{{}}")
    ''',
    "assertions": '''
        def f(x):
            assert x and x > 0, f"bad {x or 'nothing'}"
            assert x
            return x
        say(f(1))
        try: f(0)
        except AssertionError as error: say(error.args)
        f(-1)
    ''',
    "decorators and defaults": '''
        def mark(*names):
            def wrap(function):
                function.names = names
                return function
            return wrap
        @mark("a" if 1 else "b", *(n for n in "xy" if n != "x"))
        def f(a=lambda: 1 or 2, *args, k=(0 or 5), **rest):
            """Doc."""
            return a(), k, args, rest
        say((f.names, f(), f(lambda: 9, 1, k=2, z=3), f.__code__.co_firstlineno, (lambda v: v and -v)(4)))
    ''',
    "deleting and unpacking": '''
        data = {"a": 1, "b": [1, 2, 3]}
        first, *rest = data["b"] if data else []
        del data["b"][0], data["a"]
        *_, last = (1, 2) or (3,)
        print_it = dict(**{"x": 1} if data else {}, y=2)
        say((first, rest, data, last, print_it))
        with open("/dev/null") as a, open("/dev/null") as b:
            say(a.closed or b.closed)
    ''',
    "a line far down": '''
        def f(value):

            # a comment
            return (value
                    and value.
                    missing)

        f(
            0 or 5
        )
    ''',
    "recursion": '''
        def f(n): return f(n + 1)
        try: f(0)
        except RecursionError: say("deep")
    ''',
    "dataclasses and enums": '''
        import dataclasses, enum
        @dataclasses.dataclass(frozen=True, slots=True)
        class Point:
            x: int = 0 or 1
            y: "int | None" = None if 1 else 2
            tags: list = dataclasses.field(default_factory=lambda: [1] and [2])
        class Colour(enum.Enum):
            RED = 1
            if RED: GREEN = enum.auto()
        say((Point(), list(Colour), [field.name for field in dataclasses.fields(Point)]))
    ''',
}  # fmt: skip
if sys.version_info >= (3, 12):
    PROGRAMS["generic types"] = """
        type Pair[T] = tuple[T, T]
        class Box[T]:
            def put[U](self, value: U) -> "T or U":
                if value: return (T, U)
        say((Pair.__value__, Box().put(1)[0].__name__, Box().put(0)))
    """
PROGRAMS = {name: dedent(program) for name, program in PROGRAMS.items()}
