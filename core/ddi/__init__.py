"""THE MOUTH: the driver side of the interface. The only DP2 decoder and encoder, entry points, shader code, rules.

The stream:

    dp2                 the only decoder and the only encoder of command buffers
    dp2_emit            one token appended to a command buffer
    dp2_text            records as text, with the place of every byte
    state_tokens        the way back: slots and values -> tokens that set them

The emulated driver:

    calls               what crosses the seam: one DdiCall per driver entry
    driver              driver entries in, results out
    arguments           reading the arguments of an entry, checked before a kernel sees them
    resources           entries that make, lock, unlock and end surfaces
    buffers             the same of D3D buffers
    heap                where surfaces and buffers would lie: AGP and video memory
    draw_primitives     DrawPrimitives2: which vertices and commands, how far they are carried out
    stalls              when it must wait for the vertex buffer
    present             Blt, Flip and the questions about them
    clock               time on the device
    caps                GetHalInfo, GetDriverInfo
    legacy_caps         capabilities as DirectX 7 asks for them
    dxgi                the DXGI base functions
    dxgi_resources      DXGI resources: contents, places, how they are shown

Shaders:

    shaders             handles, and what the create tokens bring
    shader_code         dwords -> instructions -> the records kernels run
    shader_assemble     text -> shader code
    shader_text         instructions -> text
    shader_check        what the shader models forbid
    vertex_declaration  D3DVSD tokens: decode, print, encode

Rules:

    check               states and their values
    watch               rules that have no effect on the device, seen in the stream
    watch_limits        what tokens ask against what the driver said it can do
    facts               what is known of a driver, from a profile or from its answers
    answers             what a driver answered against what drivers are asked for
    dxgi_answers        the same of DXGI calls
    surface_limits      what a surface asks for against what the driver reports
    requirements        capabilities and formats that a DirectX 8 HAL must have
"""
