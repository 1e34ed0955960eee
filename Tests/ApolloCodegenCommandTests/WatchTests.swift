import Foundation
import Testing
import Waiting

@Suite("apollo-codegen generate --watch") struct WatchTests {
  @Test("An edit of a file behind a symbolic link is noticed", .timeLimit(.minutes(10)))
  func links() async throws {
    let folder = try Folder(Sample.files)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Hero.graphql"))
    try folder.write("query Hero { hero { name } }", to: "shared/Hero.graphql")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("Hero.graphql"),
      withDestinationURL: folder.url.appendingPathComponent("shared/Hero.graphql"))
    let run = try Tool.start(["generate", "--watch"] + Sample.flags, in: folder)
    defer { run.kill() }
    func wait(for text: String) async throws {
      try await eventually { folder.text("API/Hero.graphql.swift")?.contains(text) == true }
    }
    try await wait(for: "var name: String")
    try folder.write("query Hero { hero { id } }", to: "shared/Hero.graphql")
    try await wait(for: "var id: String")
  }
}
