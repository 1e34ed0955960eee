/// What stands before declarations.
struct DeclarationStyle {
  /// Before members: empty, or `public `.
  let access: String
  /// Before types.
  let type: String
  let isolation: String

  init(_ accessLevel: RenderingOptions.AccessLevel, _ options: RenderingOptions) {
    access = accessLevel == .public ? "public " : ""
    isolation = options.marksTypesNonisolated ? "nonisolated " : ""
    type = isolation + access
  }
}
