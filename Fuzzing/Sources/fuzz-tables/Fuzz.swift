import Apollo
import Foundation
import HostileModels

/// Code of models that reads what the bytes say, from a response, while records are made of it, and from records.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var choices = Choices(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  let json = Script.responses.randomElement(using: &choices) ?? "{}"
  let hasAges = Bool.random(using: &choices)
  let tables = hasAges ? (Script.tables + Script.agingTables).shuffled(using: &choices) : Script.tables
  let limits: [Double?] = [nil, 0, 1, 100], limit = limits.randomElement(using: &choices) ?? nil
  let asksApp = Bool.random(using: &choices), returnsPartialData = Bool.random(using: &choices)
  let script = Script(steps: Script.steps(&choices, depth: 5), tables: tables, version: hasAges ? 2 : 1)
  let bytes = ResponseBytes(#"{"data":\#(json)}"#.utf8)
  let done = DispatchSemaphore(value: 0)
  Task {
    await Script.$current.withValue(script) {
      _ = try? ResponseReader.read(HostileModel.self, from: bytes)
      let store = ApolloStore()
      if hasAges {
        let clock = Clock()
        store.clock = { clock.time }
        store.defaultMaxAge = limit
        if asksApp {
          store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider([
            "Droid": 5, "Query.hero": 0, "Droid.name": 9,
          ])
        }
      }
      try? await store.publish(records: [
        "QUERY_ROOT": ["hero": ["name": "R2", "friends": [["id": "1"]]], "name": "x"]
      ])
      _ = try? await store.load(HostileQuery())
      _ = try? await store.write(response: bytes, for: HostileQuery())
      _ = try? await store.load(HostileQuery(), returnsPartialData: returnsPartialData)
      _ = try? await store.load(HostileQuery(), ttlEnforcement: .permissive)
      _ = try? await store.collectGarbage()
    }
    done.signal()
  }
  done.wait()
  return 0
}

/// A clock that goes back and forth.
private final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var seconds = 1_000_000.0

  var time: Date {
    lock.withLock {
      seconds = 2_000_007 - seconds
      return Date(timeIntervalSince1970: seconds)
    }
  }
}

/// Takes its numbers from bytes; behind their end each is another one. (What takes numbers by rejecting some would never end
/// with zeros alone.)
private struct Choices: RandomNumberGenerator {
  var bytes: [UInt8]
  var index = 0

  mutating func next() -> UInt64 {
    defer { index += 1 }
    // High bits count for a random element.
    let value =
      index < bytes.count ? UInt64(bytes[index]) : UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15 >> 56
    return value << 56 | value
  }
}
