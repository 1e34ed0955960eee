import Apollo
import Foundation
import ResponseStyles

/// What must hold for any bytes a server may send.
public enum Check {
  /// Reads the bytes in every way. Whatever can be read is the same in another style of JSON, is the same when records are
  /// made of it, and is written as JSON that reads back as the same value.
  public static func response(_ bytes: [UInt8]) {
    // (A number for a String is another string in another spelling.)
    let style = JSONStyle(seed: UInt64(truncatingIfNeeded: bytes.hashValue), allowing: [.order, .repeats])
    for full in [true, false] {
      let query = EverythingQuery(full: full)
      guard let data = data(bytes, of: query) else { continue }
      precondition(self.data(style.restyle(bytes), of: query) == data, "another style is read as another value")
      var writer = __JSONWriter()
      data.__write(to: &writer)
      let envelope = Array(#"{"data":"#.utf8) + writer.bytes + Array("}".utf8)
      precondition(self.data(envelope, of: query) == data, "what was written does not read back")
      records(bytes, query, data)
    }
    if let value = try? ResponseReader.jsonValue(ResponseBytes(bytes)) {
      var writer = __JSONWriter()
      writer.writeJSON(value)
      precondition((try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) != nil, "written JSON is not JSON")
    }
  }

  private static func data(_ bytes: [UInt8], of query: EverythingQuery) -> EverythingQuery.Data? {
    try? ResponseReader.read(EverythingQuery.Data.self, from: ResponseBytes(bytes), variables: query.variables).data
  }

  /// What is written to a cache is accepted like what is only read.
  private static func records(_ bytes: [UInt8], _ query: EverythingQuery, _ data: EverythingQuery.Data) {
    let done = DispatchSemaphore(value: 0)
    let store = ApolloStore()
    Task {
      let written = try? await store.write(response: ResponseBytes(bytes), for: query)
      precondition(written == data, "making records changes what is read")
      _ = try? await store.load(query)
      done.signal()
    }
    done.wait()
  }
}
