"""Benchmarks: what Testwright costs beside the tools it drives, as ratios measured in one run."""
