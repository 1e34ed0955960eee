/// Types of Apple's libraries that nearly every file of an app can name: a type of the app's own module would hide
/// them.
enum LibraryNames {
  static func contains(_ name: String) -> Bool { all.contains(name) }

  private static let all = Set(
    [standardLibrary, foundation, swiftUI, combine].flatMap {
      $0.split(whereSeparator: \.isWhitespace).map(String.init)
    })

  private static let standardLibrary = """
    Actor AdditiveArithmetic AnyActor AnyBidirectionalCollection AnyClass AnyCollection AnyHashable AnyIndex
    AnyIterator AnyKeyPath AnyObject AnyRandomAccessCollection AnyRegexOutput AnySequence Array ArraySlice
    AsyncSequence AsyncStream AsyncThrowingStream BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool
    BooleanLiteralType CBool CChar CChar16 CChar32 CChar8 CDouble CInt CLong CLongDouble CLongLong CShort
    CSignedChar CVaListPointer CVarArg CWideChar CancellationError CaseIterable Character CheckedContinuation Clock
    ClosedRange Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection CollectionDifference
    CollectionOfOne CommandLine Comparable ContiguousArray ContinuousClock Copyable CustomConsumingRegexComponent
    CustomLeafReflectable CustomPlaygroundQuickLookable CustomReflectable Decodable Decoder DecodingError Dictionary
    DiscardingTaskGroup DiscontiguousSlice Double Duration DurationProtocol EmptyCollection Encodable Encoder
    EncodingError EnumeratedSequence Equatable Error Escapable Executor ExecutorJob FixedWidthInteger Float Float16
    Float32 Float64 Float80 FloatLiteralType FloatingPoint FloatingPointClassification FloatingPointRoundingRule
    FloatingPointSign GlobalActor Hashable Hasher Identifiable IndexingIterator InlineArray InstantProtocol Int
    Int128 Int16 Int32 Int64 Int8 IntegerLiteralType IteratorProtocol JobPriority JoinedSequence KeyPath
    KeyValuePairs KeyedDecodingContainer KeyedDecodingContainerProtocol KeyedEncodingContainer
    KeyedEncodingContainerProtocol MainActor ManagedBuffer ManagedBufferPointer MemoryLayout Mirror Never Numeric
    ObjectIdentifier Observable ObservationRegistrar Observations OpaquePointer OptionSet Optional OutputRawSpan
    OutputSpan PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo PrefixSequence
    RandomAccessCollection RandomNumberGenerator Range RawRepresentable RawSpan ReferenceWritableKeyPath Regex
    RegexComponent RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind Repeated Result
    ReversedCollection ReversedRandomAccessCollection Sendable SendableMetatype Sequence SerialExecutor Set
    SetAlgebra SignedInteger SignedNumeric SingleValueDecodingContainer SingleValueEncodingContainer Slice Span
    StaticBigInt StaticString String StringInterpolationProtocol StringLiteralType StringProtocol Substring
    SuspendingClock SystemRandomNumberGenerator Task TaskExecutor TaskGroup TaskLocal TaskPriority TextOutputStream
    TextOutputStreamable ThrowingDiscardingTaskGroup ThrowingTaskGroup UInt UInt128 UInt16 UInt32 UInt64 UInt8 UTF16
    UTF32 UTF8 UTF8Span UnfoldSequence Unicode UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged
    UnownedJob UnownedSerialExecutor UnownedTaskExecutor UnsignedInteger Void WritableKeyPath Zip2Sequence
    """

  private static let foundation = """
    AffineTransform AlignmentOptions AttributeContainer AttributeDynamicLookup AttributeScope
    AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
    AttributedStringKey AttributedStringProtocol AttributedSubstring BlockOperation Bundle ByteCountFormatStyle
    ByteCountFormatter CGFloat CGPoint CGRect CGRectEdge CGSize CachedURLResponse Calendar CharacterSet CocoaError
    CodableAttributedStringKey CodableConfiguration CodableWithConfiguration ComparableComparator Comparator
    ComparisonResult ContiguousBytes CurrencyFormatStyleConfiguration CustomNSError Data DataProtocol Date
    DateComponents DateFormatter DateInterval DateIntervalFormatter Decimal DecodableAttributedStringKey
    DecodableWithConfiguration DecodingConfigurationProviding DescriptiveNumberFormatConfiguration Dimension
    DiscontiguousAttributedSubstring DiscreteFormatStyle DispatchGroup DispatchQueue EncodableAttributedStringKey
    EncodableWithConfiguration EncodingConfigurationProviding EnergyFormatter Expression FileAttributeKey
    FileAttributeType FileHandle FileManager FileManagerDelegate FileProtectionType FileWrapper
    FloatingPointFormatStyle FloatingPointParseStrategy FormatStyle FormatStyleCapitalizationContext Formatter
    HTTPCookie HTTPCookiePropertyKey HTTPCookieStorage HTTPURLResponse Host ISO8601DateFormatter IndexPath IndexSet
    InflectionRule InputStream IntegerFormatStyle IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization
    KeyPathComparator LengthFormatter ListFormatStyle Locale LocalizedError LocalizedStringResource
    MarkdownDecodableAttributedStringKey MassFormatter Measurement MeasurementFormatter Morphology NSData NSDate
    NSError NSNumber NSObject NSString NSURL Notification NotificationCenter NotificationQueue
    NumberFormatStyleConfiguration NumberFormatter ObjCBool OperatingSystemVersion Operation OperationQueue
    OutputStream POSIXError ParseStrategy ParseableFormatStyle PersonNameComponents PersonNameComponentsFormatter
    Pipe Port PortDelegate PortMessage Predicate PredicateBindings PredicateError PredicateExpression
    PredicateExpressions Process ProcessInfo Progress ProgressKind ProgressReporting ProgressUserInfoKey
    PropertyListDecoder PropertyListEncoder PropertyListSerialization QualityOfService RecoverableError
    RelativeDateTimeFormatter RunLoop Scanner ScopedAttributeContainer SocketNativeHandle SocketPort SortComparator
    SortDescriptor SortOrder StandardPredicateExpression Stream StreamDelegate StreamSocketSecurityLevel StringStyle
    StringTransform Thread TimeInterval TimeZone Timer URL URLAuthenticationChallenge
    URLAuthenticationChallengeSender URLCache URLComponents URLCredential URLCredentialStorage URLError
    URLFileResourceType URLProtectionSpace URLProtocol URLProtocolClient URLQueryItem URLRequest URLResourceKey
    URLResourceValues URLResponse URLSession URLSessionConfiguration URLSessionDataDelegate URLSessionDataTask
    URLSessionDelegate URLSessionDownloadDelegate URLSessionDownloadTask URLSessionStreamDelegate
    URLSessionStreamTask URLSessionTask URLSessionTaskDelegate URLSessionTaskMetrics
    URLSessionTaskTransactionMetrics URLSessionUploadTask URLSessionWebSocketDelegate URLSessionWebSocketTask UUID
    UndoManager Unit UserDefaults XMLDocument XMLElement XMLNode XMLParser
    """

  private static let swiftUI = """
    Alert Alignment AlignmentID Anchor Angle AngularGradient Animatable AnimatablePair Animation AnyGradient
    AnyLayout AnyShape AnyShapeStyle AnyTransition AnyView App AppStorage AsyncImage Axis Binding BlendMode
    BorderedButtonStyle Button ButtonRole ButtonStyle ButtonToggleStyle Canvas Capsule Circle Color ColorPicker
    ColorRenderingMode ColorScheme ColorSchemeContrast CommandGroup CommandMenu Commands ContainerRelativeShape
    ContentMode ContentShapeKinds ContentSizeCategory ContentUnavailableView ContextMenu ControlGroup ControlSize
    CoordinateSpace CustomAnimation DatePicker DatePickerComponents DatePickerStyle DisclosureGroup DismissAction
    Divider DocumentGroup DragGesture DropDelegate DropInfo DropProposal DynamicProperty DynamicTypeSize
    DynamicViewContent Edge EdgeInsets EditActions EditButton EditMode Ellipse EllipticalGradient EmptyCommands
    EmptyModifier EmptyView Environment EnvironmentKey EnvironmentObject EnvironmentValues FetchRequest
    FetchedResults FileDocument FillStyle FocusState FocusedBinding FocusedObject FocusedValue FocusedValues Font
    ForEach ForegroundStyle Form FormStyle Gauge GaugeStyle GeometryEffect GeometryProxy GeometryReader Gesture
    GestureMask GestureState Gradient GraphicsContext Grid GridItem GridRow Group GroupBox GroupBoxStyle HStack
    HelpLink HierarchicalShapeStyle HorizontalAlignment HorizontalEdge HoverEffect HoverPhase Image ImagePaint
    ImageRenderer InsettableShape KeyEquivalent KeyPress KeyboardShortcut Label LabelStyle LabeledContent Layout
    LayoutDirection LayoutSubviews LayoutValueKey LazyHGrid LazyHStack LazyVGrid LazyVStack LegibilityWeight
    LinearGradient Link List ListItemTint ListStyle LocalizedStringKey LongPressGesture MagnificationGesture
    MagnifyGesture MatchedGeometryProperties Material Menu MenuButton MenuStyle MeshGradient MoveCommandDirection
    NamedCoordinateSpace Namespace NavigationBarItem NavigationLink NavigationPath NavigationSplitView
    NavigationStack NavigationView ObservedObject OffsetShape OpenURLAction OutlineGroup PageTabViewStyle
    PasteButton Path PhaseAnimator Picker PickerStyle PinnedScrollableViews PlainButtonStyle PopoverAttachmentAnchor
    PreferenceKey PresentationDetent PresentationMode PreviewContext PreviewLayout PreviewProvider
    PrimitiveButtonStyle ProgressView ProgressViewStyle ProjectionTransform ProposedViewSize RadialGradient
    Rectangle RedactionReasons RefreshAction RenameButton RotateGesture RotationGesture RoundedCornerStyle
    RoundedRectangle SafeAreaRegions ScaledMetric ScaledShape Scene SceneBuilder ScenePhase SceneStorage ScrollView
    ScrollViewProxy ScrollViewReader SearchFieldPlacement Section SectionedFetchRequest SecureField SensoryFeedback
    Settings SettingsLink Shader Shape ShapeStyle ShareLink SharePreview SidebarRowSize Slider Spacer
    SpatialTapGesture Spring State StateObject Stepper StrokeStyle SubmitLabel SubmitTriggers SubviewsCollection
    SymbolRenderingMode SymbolVariants Tab TabSection TabView TabViewStyle Table TableColumn TableRow TapGesture
    Text TextAlignment TextEditor TextField TextFieldStyle TextInputAutocapitalization TextSelection
    TimelineSchedule TimelineView TitleAndIconLabelStyle Toggle ToggleStyle ToolbarContent ToolbarItem
    ToolbarItemGroup ToolbarItemPlacement ToolbarRole Transaction Transferable Transition TupleView
    UIViewControllerRepresentable UIViewRepresentable UnevenRoundedRectangle UnitCurve UnitPoint
    UserInterfaceSizeClass VStack VectorArithmetic VerticalAlignment VerticalEdge View ViewBuilder ViewDimensions
    ViewModifier ViewSpacing ViewThatFits Visibility VisualEffect Widget Window WindowGroup ZStack
    """

  private static let combine = """
    AnyCancellable AnyPublisher AnySubscriber Cancellable CombineIdentifier ConnectablePublisher CurrentValueSubject
    CustomCombineIdentifierConvertible Deferred Empty Fail Future ImmediateScheduler Just ObservableObject
    ObservableObjectPublisher PassthroughSubject Published Publisher Publishers Record Scheduler Subject Subscriber
    Subscribers Subscription Subscriptions TopLevelDecoder TopLevelEncoder
    """
}
