"""Reads what the compiler wrote down of every name (`-index-store-path`), with the toolchain's libIndexStore."""

import ctypes
import pathlib


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


RECORD = 2  # INDEXSTORE_UNIT_DEPENDENCY_RECORD
DEFINITION = 1 << 1 | 1 << 0  # A declaration or a definition, not a use.
ON_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
ON_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


class IndexStore:
    def __init__(self, toolchain, folder):
        self.library = ctypes.CDLL(str(pathlib.Path(toolchain.library).parent / "libIndexStore.so"))
        self.store = self._call("store_create", ctypes.c_void_p, str(folder).encode(), None)
        if not self.store:
            raise RuntimeError(f"{folder} is not an index")

    def uses(self):
        """Every use of a name: (file, line, the symbol's identifier)."""
        units, seen = [], set()
        self._each("store_units_apply_f", ON_TEXT, lambda text: units.append(str(text)), self.store, ctypes.c_uint(0))
        for unit in units:
            reader = self._call("unit_reader_create", ctypes.c_void_p, self.store, unit.encode(), None)
            records = []

            def note(dependency):
                if self._call("unit_dependency_get_kind", ctypes.c_int, dependency) == RECORD:
                    records.append((str(self._call("unit_dependency_get_filepath", Text, dependency)),
                                    str(self._call("unit_dependency_get_name", Text, dependency))))

            self._each("unit_reader_dependencies_apply_f", ON_POINTER, note, ctypes.c_void_p(reader))
            for file, record in records:
                if record not in seen:
                    seen.add(record)
                    yield from self._uses_in(file, record)

    def _uses_in(self, file, record):
        reader = self._call("record_reader_create", ctypes.c_void_p, self.store, record.encode(), None)
        found = []

        def note(occurrence):
            if self._call("occurrence_get_roles", ctypes.c_uint64, occurrence) & DEFINITION:
                return
            line, column = ctypes.c_uint(), ctypes.c_uint()
            self._call("occurrence_get_line_col", None, occurrence, ctypes.byref(line), ctypes.byref(column))
            symbol = self._call("occurrence_get_symbol", ctypes.c_void_p, occurrence)
            found.append((file, line.value, str(self._call("symbol_get_usr", Text, symbol))))

        self._each("record_reader_occurrences_apply_f", ON_POINTER, note, ctypes.c_void_p(reader))
        return found

    def _call(self, name, result, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = result
        return function(*[ctypes.c_void_p(argument) if isinstance(argument, int) else argument for argument in arguments])

    def _each(self, name, kind, body, *arguments):
        def visit(_, value):
            body(value)
            return True

        function = getattr(self.library, "indexstore_" + name)
        function.restype = ctypes.c_bool
        function(*[ctypes.c_void_p(argument) if isinstance(argument, int) else argument for argument in arguments], None,
                 kind(visit))
