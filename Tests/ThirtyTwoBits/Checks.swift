// What has to hold where `Int` has 32 bits. It is compiled with the sources of ApolloAPI, in one module, by
// scripts/check-32-bits.py.

nonisolated(unsafe) var failures: Int32 = 0
nonisolated(unsafe) var passed = 0

func expect(_ condition: Bool, _ what: String) {
  if condition { passed += 1 } else {
    failures += 1
    print("FAILED: \(what)")
  }
}

@_expose(wasm, "_start") @_cdecl("_start") public func start() {
  expect(Int.bitWidth == 32, "Int has 32 bits")
  print("\(passed) passed")
}
