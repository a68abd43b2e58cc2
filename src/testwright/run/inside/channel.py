"""The child's end of the private channel: `isolate`'s, and found by path, because nothing of ours has a name here."""

import importlib.util
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from testwright.isolate.inside.channel import Channel, clipped
else:
    _package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    _spec = importlib.util.spec_from_file_location(
        __name__ + "_of_child", os.path.join(_package, "isolate", "inside", "channel.py")
    )
    _module = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(_module)
    Channel, clipped = _module.Channel, _module.clipped

__all__ = ["Channel", "clipped"]
