"""Values as JSON text: every saver writes and reads them here."""

from weavenb.serde.codec import decode, encode, encode_known, is_unicode
from weavenb.serde.hashing import hash_of
from weavenb.serde.isolate import isolate
from weavenb.serde.types import Opaque, Unencodable, register

__all__ = ["Opaque", "Unencodable", "decode", "encode", "encode_known", "hash_of", "is_unicode", "isolate", "register"]
