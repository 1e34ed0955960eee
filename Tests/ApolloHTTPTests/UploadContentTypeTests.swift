import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

@testable import Apollo

extension UploadTests {
  /// Makes a form with a boundary of its own.
  private final class OwnFormRequest: UploadRequest<UploadMutation>, @unchecked Sendable {
    override func requestMultipartFormData() throws -> MultipartFormData {
      let form = MultipartFormData(boundary: "own")
      form.appendPart(data: Data("{}".utf8), name: "operations")
      return form
    }
  }

  @Test("The content type is that of the form, whatever header fields say")
  func contentType() throws {
    let plain = request([file("f", "a.txt")]) { _ in }
    plain.addHeader(name: "Content-Type", value: "application/json")
    #expect(
      try plain.toURLRequest().value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
    let own = OwnFormRequest(
      graphQLEndpoint: URL(string: "http://localhost/")!, operation: UploadMutation(), clientName: "c",
      clientVersion: "v", files: [file("f", "a.txt")], manualBoundary: "B")
    #expect(try own.toURLRequest().value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=own")
  }

  @Test("The content type is that of the form also where the configuration says another one", arguments: [1, 2 << 20])
  func configuredContentType(size: Int) async throws {
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      _ = try await client(server).upload(
        operation: UploadMutation(), files: [file("f", "a.txt", String(repeating: "x", count: size))],
        requestConfiguration: RequestConfiguration(headers: ["Content-Type": "application/json"]))
    }
    let type = try #require(requests.first?.headers["content-type"]), prefix = "multipart/form-data; boundary="
    #expect(type.hasPrefix(prefix))
    #expect(requests.first?.body.hasPrefix("--" + type.dropFirst(prefix.count) + "\r\n") == true)
  }
}
