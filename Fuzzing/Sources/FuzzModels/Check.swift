public import Apollo
import Foundation

/// What must hold for any bytes a server may send.
public enum Check {
  /// Reads the bytes in every way; whatever can be read is written, and must read back as the same value, unless members
  /// are there twice.
  public static func response(_ bytes: [UInt8]) {
    let isAmbiguous = hasDuplicateKeys(bytes)
    for full in [true, false] {
      let query = EverythingQuery(full: full)
      guard
        let data = try? ResponseReader.read(
          EverythingQuery.Data.self, from: ResponseBytes(bytes), variables: query.variables
        ).data
      else { continue }
      var writer = JSONWriter()
      data.write(to: &writer)
      let envelope = Array(#"{"data":"#.utf8) + writer.bytes + Array("}".utf8)
      let again = try? ResponseReader.read(
        EverythingQuery.Data.self, from: ResponseBytes(envelope), variables: query.variables
      ).data
      precondition(isAmbiguous || again == data, "what was written does not read back")
      records(bytes, query, isAmbiguous ? nil : data)
    }
    if let value = try? ResponseReader.jsonValue(ResponseBytes(bytes)) {
      var writer = JSONWriter()
      writer.writeJSON(value)
      precondition((try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) != nil, "written JSON is not JSON")
    }
  }

  /// What is written to a cache is accepted like what is only read.
  private static func records(_ bytes: [UInt8], _ query: EverythingQuery, _ data: EverythingQuery.Data?) {
    let done = DispatchSemaphore(value: 0)
    let store = ApolloStore()
    Task {
      let written = try? await store.write(response: ResponseBytes(bytes), for: query)
      precondition(data == nil || written == data, "making records changes what is read")
      _ = try? store.load(query)
      done.signal()
    }
    done.wait()
  }
}
