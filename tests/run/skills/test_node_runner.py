"""What inside/skill_runner.mjs makes of a test file, and that no file can talk it into a success."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.outcome import Outcome
from testwright.run.skills.file_runner import run_test_file

Write = Callable[[str, str], Path]

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

HONEST = "{ passed: 2, failed: 0, errors: [] }"


@pytest.mark.parametrize(
    "source",
    [
        f"export default function () {{ return {HONEST}; }}",
        f"export default async () => ({HONEST});",
        f"export default {{ default: () => ({HONEST}) }};",
        f"export default {{ runTests: async () => ({HONEST}) }};",
        f"export function runTests() {{ return {HONEST}; }}",
        f"export default {{ result: {HONEST}, runTests() {{ return this.result; }} }};",
        "export default () => ({ passed: 2, failed: 0 });",
    ],
    ids=["function", "async", "object.default", "object.runTests", "runTests", "method", "no errors list"],
)
def test_every_form_a_test_file_may_have_is_run(write: Write, source: str) -> None:
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert (result.success, result.passed, result.failed, result.errors) == (True, 2, 0, ())


def test_a_failing_file_says_what_failed(write: Write) -> None:
    file = write(
        "tests/a.tests.mjs",
        "export default () => ({ passed: 1, failed: 3, errors: ['no stock', new Error('no price'), { item: 7 }] });",
    )
    result = run_test_file(file)
    assert result.outcome is Outcome.FAILED
    assert (result.passed, result.failed) == (1, 3)
    assert result.errors == ("no stock", "no price", "{ item: 7 }")


SUCCESS_JSON = '{"success": true, "result": {"passed": 99, "failed": 0, "errors": []}}'
PRINT = f"console.log('{SUCCESS_JSON}');"
FAIL = "export default () => ({ passed: 0, failed: 1, errors: ['no'] });"
FORGERIES = {
    "prints a success and fails": (f"{PRINT} {FAIL}", Outcome.FAILED),
    "prints a success and returns nothing": (f"export default () => {{ {PRINT} }};", Outcome.NO_VERDICT),
    "exits at import": (f"{PRINT} process.exit(0);", Outcome.NO_VERDICT),
    "exits in the test": (f"export default () => {{ {PRINT} process.exit(0); }};", Outcome.NO_VERDICT),
    "exits below node's own exit": (f"{PRINT} process.reallyExit(0);", Outcome.NO_VERDICT),
    "ends itself by a signal": ("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});", Outcome.CRASHED),
    "awaits without end at the top": (f"{PRINT} await new Promise(() => {{}});", Outcome.NO_VERDICT),
    "returns a promise that never settles": ("export default () => new Promise(() => {});", Outcome.NO_VERDICT),
    "is empty": ("", Outcome.NO_VERDICT),
    "exports something else": ("export default 42; export const tests = [];", Outcome.NO_VERDICT),
    "is an empty test": ("export default async function () {}", Outcome.NO_VERDICT),
    "ran nothing": ("export default () => ({ passed: 0, failed: 0, errors: [] });", Outcome.NO_VERDICT),
    "leaves out a count": ("export default () => ({ passed: 3, errors: [] });", Outcome.NO_VERDICT),
    "counts in words": ("export default () => ({ passed: '3', failed: 0, errors: [] });", Outcome.NO_VERDICT),
    "counts NaN": ("export default () => ({ passed: 3, failed: NaN, errors: [] });", Outcome.NO_VERDICT),
    "counts below nothing": ("export default () => ({ passed: 3, failed: -1, errors: [] });", Outcome.NO_VERDICT),
    "counts halves": ("export default () => ({ passed: 1.5, failed: 0, errors: [] });", Outcome.NO_VERDICT),
    "has errors that are not a list": (
        "export default () => ({ passed: 1, failed: 0, errors: 'x' });",
        Outcome.NO_VERDICT,
    ),
    "returns true": ("export default () => true;", Outcome.NO_VERDICT),
    "replaces stdout": (
        f"process.stdout.write = () => true; console.log = () => {{}}; {FAIL}",
        Outcome.FAILED,
    ),
    "replaces JSON": (f"JSON.stringify = () => '{SUCCESS_JSON}'; JSON.parse = () => ({{}}); {FAIL}", Outcome.FAILED),
    "replaces process.exit": (
        f"process.exit = () => {{}}; process.reallyExit = () => {{}}; {FAIL}",
        Outcome.FAILED,
    ),
    "replaces the writing itself": (
        f"import fs from 'node:fs'; fs.writeSync = (fd, data) => data.length; {FAIL}",
        Outcome.FAILED,
    ),
    "replaces all and returns nothing": (
        "console.log = process.exit = process.stdout.write = JSON.stringify = () => true; export default () => {};",
        Outcome.NO_VERDICT,
    ),
    "silences the exit handlers": (
        "process.removeAllListeners('exit'); process.exit(0);",
        Outcome.NO_VERDICT,
    ),
    "takes back its failure while leaving": (
        f"process.on('exit', () => {{ process.exitCode = 0; }}); {FAIL}",
        Outcome.FAILED,
    ),
    "throws at import": ("throw new Error('no such skill');", Outcome.ERROR),
    "throws in the test": ("export default () => { throw new TypeError('bad'); };", Outcome.ERROR),
    "throws nothing": ("export default () => { throw undefined; };", Outcome.ERROR),
    "throws something that cannot be read": (
        "export default () => { throw { get message() { throw 1; }, get code() { return ''; } }; };",
        Outcome.ERROR,
    ),
    "rejects behind our back": (
        f"export default () => {{ Promise.reject(new Error('late')); return {HONEST}; }};",
        Outcome.ERROR,
    ),
    "does not parse": ("export default () => {\n  let x = ;\n};", Outcome.ERROR),
    "imports what is not there": ("import './missing.mjs';", Outcome.ERROR),
}


@pytest.mark.parametrize(("source", "outcome"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_file_that_does_not_pass_is_never_a_success(write: Write, source: str, outcome: Outcome) -> None:
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert result.outcome is outcome
    assert not result.success
    assert result.failed >= 1
    assert result.errors


def test_what_a_file_prints_is_only_text(write: Write) -> None:
    source = f"export default () => {{ console.log('a {{ b'); {PRINT} return {HONEST}; }};"
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert (result.success, result.passed) == (True, 2)
    assert result.output == f"a {{ b\n{SUCCESS_JSON}\n"


def test_a_file_that_writes_into_descriptors_it_did_not_open_is_not_a_success(write: Write) -> None:
    source = f"""
        import fs from 'node:fs';
        export default () => {{
          for (const fd of fs.readdirSync('/proc/self/fd').map(Number)) {{
            try {{
              if (fs.readlinkSync(`/proc/self/fd/${{fd}}`).startsWith('socket:')) fs.writeSync(fd, '{SUCCESS_JSON}\\n');
            }} catch {{}} // the one that lists the folder is gone by now
          }}
          return {HONEST};
        }};
    """
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert not result.success
    assert result.outcome is Outcome.NO_VERDICT


def test_an_exit_code_that_belies_the_result_is_not_a_success(write: Write) -> None:
    source = f"process.on('exit', () => {{ process.exitCode = 3; }}); export default () => ({HONEST});"
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert not result.success
    assert "exited with 3" in " ".join(result.errors)


def test_an_honest_file_may_replace_what_it_likes(write: Write) -> None:
    source = f"""
        process.exit = console.log = JSON.stringify = () => {{}};
        process.removeAllListeners('exit');
        export default () => ({HONEST});
    """
    assert run_test_file(write("tests/a.tests.mjs", source)).success


def test_a_files_name_is_never_code(write: Write, tmp_path: Path) -> None:
    name = "empty.mjs'; import fs from 'fs'; fs.writeFileSync('PWNED','1'); '"
    honest = write(f"tests/{name}.mjs", f"export default () => ({HONEST});")
    empty = write(f"tests/other {name}.mjs", "")
    odd = write("tests/100% #1?.tests.mjs", f"export default () => ({HONEST});")

    assert run_test_file(honest).success
    assert run_test_file(odd).success
    assert run_test_file(empty).outcome is Outcome.NO_VERDICT
    assert not list(tmp_path.rglob("PWNED"))


def test_a_file_that_does_not_parse_is_reported_with_its_place(write: Write) -> None:
    result = run_test_file(write("tests/a.tests.mjs", "export default () => {\n  let x = ;\n};"))
    assert result.errors == ("Unexpected token ';' (line 2 of a.tests.mjs)",)


def test_a_thrown_error_keeps_its_stack(write: Write) -> None:
    file = write("tests/a.tests.mjs", "export default function check() { throw new Error('no stock'); }")
    result = run_test_file(file)
    assert result.errors == ("no stock",)
    assert "at check" in result.stack


def test_a_failed_assertion_is_a_failure_and_not_an_error(write: Write) -> None:
    source = "import assert from 'node:assert'; export default () => assert.equal(1, 2);"
    assert run_test_file(write("tests/a.tests.mjs", source)).outcome is Outcome.FAILED


def test_the_test_runs_in_its_own_folder_with_our_environment(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_COLOUR", "green")
    file = write(
        "tests/a.tests.mjs",
        f"""
        export default () => {{
          console.log(process.cwd(), process.env.SHOP_COLOUR, process.env.TESTWRIGHT_CHANNEL);
          return {HONEST};
        }};
        """,
    )
    assert run_test_file(file).output == f"{file.parent} green undefined\n"


def test_open_servers_and_timers_do_not_keep_a_finished_test_waiting(write: Write) -> None:
    source = f"""
        import {{ createServer }} from 'node:http';
        createServer().listen(0, '127.0.0.1');
        setInterval(() => {{}}, 1000);
        export default () => ({HONEST});
    """
    assert run_test_file(write("tests/a.tests.mjs", source), timeout=20_000).success


def test_what_a_test_starts_cannot_reach_the_result_channel(write: Write) -> None:
    source = """
        import { execFileSync } from 'node:child_process';
        export default () => {
          console.log(execFileSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' }));
          return { passed: 1, failed: 0, errors: [] };
        };
    """
    output = run_test_file(write("tests/a.tests.mjs", source)).output
    assert output is not None
    inherited = {line.split(" -> ")[0].split()[-1] for line in output.splitlines() if "socket:" in line}
    assert inherited <= {"0", "1", "2"}  # node connects a child's own streams by sockets


def test_a_test_that_finds_our_reporter_gets_no_channel_from_it(write: Write) -> None:
    import testwright.run.inside as inside

    reporter = str(Path(inside.__path__[0]) / "channel.cjs")
    source = f"""
        import {{ createRequire }} from 'node:module';
        const {{ openChannel }} = createRequire(import.meta.url)({reporter!r});
        export default () => ({{ passed: 1, failed: openChannel() === null ? 0 : 1, errors: [] }});
    """
    assert run_test_file(write("tests/a.tests.mjs", source)).success


def test_very_many_and_very_long_errors_still_arrive(write: Write) -> None:
    source = """
        const errors = Array.from({ length: 5000 }, (_, i) => `${i} \\ud800 \\u0001 `.repeat(2000));
        export default () => ({ passed: 0, failed: 5000, errors });
    """
    result = run_test_file(write("tests/a.tests.mjs", source))
    assert result.failed == 5000
    assert result.errors[-1] == "… and 4800 more"
    assert all(error.encode("utf-8") for error in result.errors)
