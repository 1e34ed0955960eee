import Apollo
import Foundation
import HostileModels

/// Code of models that reads what the bytes say, from a response, while records are made of it, and from records.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var choices = Choices(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  let json = Script.responses.randomElement(using: &choices) ?? "{}"
  let script = Script(steps: Script.steps(&choices, depth: 5))
  let bytes = ResponseBytes(#"{"data":\#(json)}"#.utf8)
  let done = DispatchSemaphore(value: 0)
  Task {
    await Script.$current.withValue(script) {
      _ = try? ResponseReader.read(HostileModel.self, from: bytes)
      let store = ApolloStore()
      try? await store.publish(records: ["QUERY_ROOT": ["hero": ["name": "R2", "friends": [["id": "1"]]], "name": "x"]])
      _ = try? await store.load(HostileQuery())
      _ = try? await store.write(response: bytes, for: HostileQuery())
      _ = try? await store.load(HostileQuery())
    }
    done.signal()
  }
  done.wait()
  return 0
}

/// Takes its numbers from bytes; behind their end each is another one. (What takes numbers by rejecting some would never end
/// with zeros alone.)
private struct Choices: RandomNumberGenerator {
  var bytes: [UInt8]
  var index = 0

  mutating func next() -> UInt64 {
    defer { index += 1 }
    // High bits count for a random element.
    let value = index < bytes.count ? UInt64(bytes[index]) : UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15 >> 56
    return value << 56 | value
  }
}
