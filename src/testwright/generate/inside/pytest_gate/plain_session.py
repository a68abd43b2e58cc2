"""Pytest kept simple: one process, no second measuring, no early end, no matter what the project's settings say."""

from typing import Any

import pytest


class PlainSession:
    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> None:
        if hasattr(early_config.known_args_namespace, "no_cov"):
            early_config.known_args_namespace.no_cov = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> None:
        config.option.maxfail = 0
        if hasattr(config.option, "numprocesses"):
            config.option.numprocesses, config.option.tx, config.option.dist = None, [], "no"
        if hasattr(config.option, "randomly_reorganize"):  # we choose the order
            config.option.randomly_reorganize = False
