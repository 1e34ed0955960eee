import Foundation

/// The responses that `generate_data.py` of the shared reference folder writes, and a schema from there.
struct BenchmarkData {
  var files: [String: [UInt8]] = [:]

  static func load() throws -> BenchmarkData {
    let folder = ProcessInfo.processInfo.environment["APOLLO_BENCHMARK_DATA"] ?? ".build/data/data"
    var data = BenchmarkData()
    for name in ["people_large", "people_medium", "people_small", "animals"] {
      let url = URL(fileURLWithPath: folder).appendingPathComponent(name + ".json")
      data.files[name] = [UInt8](try Data(contentsOf: url))
    }
    let schema = URL(fileURLWithPath: folder).appendingPathComponent("github.graphql")
    data.files["github"] = (try? Data(contentsOf: schema)).map { [UInt8]($0) }
    return data
  }

  subscript(name: String) -> [UInt8] { files[name] ?? [] }
}
