"""How a compiled graph shows itself in a notebook."""

from __future__ import annotations

import base64
import html

from weavenb.draw.svg import draw
from weavenb.model.topology import Topology

__all__ = ["mimebundle"]


def mimebundle(topology: Topology, text: str) -> dict[str, str]:
    """The same bytes on every machine and in every run: the built-in layout, and a text equivalent."""
    drawn = draw(topology)
    data = base64.b64encode(drawn.svg.encode()).decode()
    spoken = html.escape(drawn.alt, quote=True)
    # An image, since an untrusted notebook drops inline SVG.
    return {
        "text/plain": text,
        "text/html": f'<img src="data:image/svg+xml;base64,{data}" alt="{spoken}" style="max-width:100%">',
    }
