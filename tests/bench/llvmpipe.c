/* The scenes of raster.py through Mesa (EGL without a window, desktop OpenGL): the peer to be measured against.
   gcc -O2 llvmpipe.c -lEGL -lGL -lm; ./a.out FRAME_FILE answers each line "scene|shape" (large, small, frame or mesh) with
   "CPU seconds, seconds" of drawing it once.  LP_NUM_THREADS=0: in one thread.  FRAME_FILE: Vertex[2000][36]. */
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 1024
#define HEIGHT 768
#define LAYERS 8
#define PATCHES 2000
#define SIDE 100

typedef struct { float position[4], color[4], uv0[2], uv1[2], fog, unused[3]; } Vertex;
typedef struct { const char *name, *fragment; int flags; } Scene;
enum { LARGE, SMALL, FRAME, MESH, SHAPES };
static const char *SHAPE[] = {"large", "small", "frame", "mesh"};
enum { COLOR = 1, BLEND = 2, MIPS = 4, STENCIL = 8, SAMPLES = 16 };

static const char *VERTEX_SHADER =
    "attribute vec4 p; attribute vec4 c; attribute vec2 t0; attribute vec2 t1; attribute float f;"
    "varying vec4 vc; varying vec2 v0; varying vec2 v1; varying float vf;"
    "void main() { gl_Position = p; vc = c; v0 = t0; v1 = t1; vf = f; }";

#define GOURAUD "varying vec4 vc; void main() { gl_FragColor = vc; }"
#define MODULATED \
    "varying vec4 vc; varying vec2 v0; uniform sampler2D s0; void main() { gl_FragColor = texture2D(s0, v0) * vc; }"

static const Scene SCENES[] = {
    {"z only", "void main() { gl_FragColor = vec4(1); }", 0},
    {"flat+z", "void main() { gl_FragColor = vec4(.2, .4, .6, 1); }", COLOR},
    {"gouraud+z", GOURAUD, COLOR},
    {"bilinear x diffuse+z", MODULATED, COLOR},
    {"trilinear x diffuse+z",
     "varying vec4 vc; varying vec2 v0; uniform sampler2D s0; void main() { gl_FragColor = texture2D(s0, v0 * 4.) * vc; }",
     COLOR | MIPS},
    {"2 tex+blend+fog",
     "varying vec4 vc; varying vec2 v0; varying vec2 v1; varying float vf; uniform sampler2D s0, s1;"
     "void main() { vec4 c = texture2D(s0, v0) * vc * texture2D(s1, v1);"
     "gl_FragColor = vec4(mix(vec3(.5, .6, .7), c.rgb, vf), c.a); }", COLOR | BLEND},
    {"ps_1_1",
     "varying vec4 vc; varying vec2 v0; varying vec2 v1; uniform sampler2D s0, s1;"
     "void main() { vec4 t0 = texture2D(s0, v0), t1 = texture2D(s1, v1), r = t0 * vc;"
     "r = vec4(t1.rgb * vec3(.25, .5, .75) + r.rgb, t0.a * t1.a); gl_FragColor = clamp(mix(t1, r, vc), 0., 1.); }", COLOR},
    {"alpha test+stencil", MODULATED, COLOR | STENCIL},
    {"gouraud+z, 4 samples", GOURAUD, COLOR | SAMPLES},
};

enum { COUNT = sizeof SCENES / sizeof *SCENES };

/* The mesh scenes: position and normal in p and c; the first one is OpenGL's fixed function. */
static const char *MESHES[] = {"transform+light", "vs_1_1"};
static const char *MESH_SHADER =
    "attribute vec4 p; attribute vec4 c; uniform vec4 k[8]; varying vec4 vc; void main() {"
    "gl_Position = vec4(dot(p, k[0]), dot(p, k[1]), dot(p, k[2]), dot(p, k[3]));"
    "vec3 r = c.xyz * inversesqrt(dot(c.xyz, c.xyz)); vc = max(dot(r, k[4].xyz), k[5].x) * k[6] + k[7]; }";

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static GLuint compile(GLenum kind, const char *text) {
    const char *parts[] = {"#version 120\n", text};
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 2, parts, 0);
    glCompileShader(shader);
    return shader;
}

static GLuint make_program(const char *vertex, const char *fragment) {
    static const char *names[] = {"p", "c", "t0", "t1", "f"};
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
    for (int i = 0; i < 5; i++) glBindAttribLocation(program, i, names[i]);
    glLinkProgram(program);
    glUseProgram(program);
    for (int i = 0; i < 2; i++) {
        GLint place = glGetUniformLocation(program, i ? "s1" : "s0");
        if (place >= 0) glUniform1i(place, i);
    }
    return program;
}

static void use_vertices(GLuint buffer) {
    static const int size[] = {4, 4, 2, 2, 1}, offset[] = {0, 16, 32, 40, 48};
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (int i = 0; i < 5; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, size[i], GL_FLOAT, 0, sizeof(Vertex), (void *)(size_t)offset[i]);
    }
}

/* One directional light, in front of the mesh. */
static void use_fixed_function(void) {
    static const float projection[] = {1.3, 0, 0, 0, 0, 1.7, 0, 0, 0, 0, 1.1, 1, 0, 0, -1, 0}, light[] = {0, 0, -1, 0};
    glUseProgram(0);
    for (int i = 0; i < 5; i++) glDisableVertexAttribArray(i);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glVertexPointer(4, GL_FLOAT, sizeof(Vertex), 0);
    glNormalPointer(GL_FLOAT, sizeof(Vertex), (void *)16);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(projection);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_NORMALIZE);
    glLightfv(GL_LIGHT0, GL_POSITION, light);
}

static int open_context(void) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, 0);
    if (!eglInitialize(display, 0, 0)) return 0;
    eglBindAPI(EGL_OPENGL_API);
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, 0);
    return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static GLuint make_target(int samples) {
    GLuint frame, part[2];
    static const GLenum format[] = {GL_RGBA8, GL_DEPTH24_STENCIL8}, place[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT};
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, part);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, part[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format[i], WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, place[i], GL_RENDERBUFFER, part[i]);
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    return frame;
}

/* texture 0, the same with mip levels, texture 1 */
static GLuint textures[3];

static void make_textures(void) {
    static unsigned image[65536];
    glGenTextures(3, textures);
    for (unsigned i = 0; i < 65536; i++) image[i] = (i * 2654435761u) ^ (i >> 3) * 40503u;
    for (int k = 0; k < 3; k++) {
        glActiveTexture(GL_TEXTURE0 + (k == 2));
        glBindTexture(GL_TEXTURE_2D, textures[k]);
        for (int level = 0; level < (k == 1 ? 9 : 1); level++)
            glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 256 >> level, 256 >> level, 0, GL_BGRA, GL_UNSIGNED_BYTE, image);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, k == 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    }
}

static void make_large(void) {
    static Vertex shape[LAYERS * 6];
    static const int corner[] = {0, 1, 2, 2, 1, 3};
    for (int n = 0; n < LAYERS * 6; n++) {
        int i = corner[n % 6];
        float fx = i & 1, fy = i >> 1, w = 1 + 0.5f * fy, z = 0.9f - 1.6f * (n / 6) / LAYERS;
        Vertex v = {{(2 * fx - 1) * w, (2 * fy - 1) * w, z * w, w}, {fx, fy, 1 - fx, 0.3f + 0.5f * fy}, {fx * 4, fy * 3},
                    {fx * 2 + .1f, fy * 2}, 0.2f + 0.7f * fy, {0}};
        shape[n] = v;
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof shape, shape, GL_STATIC_DRAW);
}

/* A grid of triangles of ten pixels; returns the number of indices. */
static int make_small(void) {
    const float cell = 4.472f;
    int columns = (int)(WIDTH / cell), rows = (int)(HEIGHT / cell), count = 0;
    Vertex *grid = calloc((columns + 1) * (rows + 1), sizeof *grid);
    unsigned *index = malloc(columns * rows * 6 * sizeof *index);
    for (int y = 0; y <= rows; y++)
        for (int x = 0; x <= columns; x++) {
            float fx = x * cell / WIDTH, fy = y * cell / HEIGHT;
            Vertex v = {{2 * fx - 1, 2 * fy - 1, 0, 1}, {fx, fy, 1 - fx, 0.5f}, {fx * 4, fy * 3}, {fx * 2, fy * 2}, fy, {0}};
            grid[y * (columns + 1) + x] = v;
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            unsigned a = y * (columns + 1) + x, c = a + columns + 1, corner[] = {a, a + 1, c, c, a + 1, c + 1};
            for (int i = 0; i < 6; i++) index[count++] = corner[i];
        }
    glBufferData(GL_ARRAY_BUFFER, (columns + 1) * (rows + 1) * sizeof *grid, grid, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, count * sizeof *index, index, GL_STATIC_DRAW);
    return count;
}

/* A square of SIDE x SIDE quads, position and normal; returns the number of indices. */
static int make_mesh(void) {
    static Vertex mesh[(SIDE + 1) * (SIDE + 1)];
    static unsigned short index[SIDE * SIDE * 6];
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        Vertex v = {{i % (SIDE + 1) * 2.f / SIDE - 1, i / (SIDE + 1) * 2.f / SIDE - 1, 3, 1}, {0, 0, -1, 0}, {0}, {0}, 0, {0}};
        mesh[i] = v;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        int a = i / SIDE * (SIDE + 1) + i % SIDE, c = a + SIDE + 1, corner[] = {a, a + 1, c, a + 1, c + 1, c};
        for (int k = 0; k < 6; k++) index[6 * i + k] = corner[k];
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof mesh, mesh, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
    return SIDE * SIDE * 6;
}

/* Patches of 5 x 5 cells from the file; the indices are those of one patch. */
static int make_patches(const char *path) {
    static Vertex patches[PATCHES * 36];
    unsigned short index[150];
    FILE *file = fopen(path, "rb");
    if (!file || fread(patches, sizeof patches, 1, file) != 1) exit(2);
    fclose(file);
    for (int i = 0; i < 25; i++) {
        int a = i / 5 * 6 + i % 5, corner[] = {a, a + 1, a + 6, a + 6, a + 1, a + 7};
        for (int k = 0; k < 6; k++) index[6 * i + k] = corner[k];
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof patches, patches, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
    return 150;
}

static void set_state(const Scene *scene, GLuint program) {
    static const GLenum capability[] = {GL_BLEND, GL_ALPHA_TEST, GL_STENCIL_TEST};
    static const int flag[] = {BLEND, STENCIL, STENCIL};
    int color = scene->flags & COLOR;
    glUseProgram(program);
    glColorMask(color, color, color, color);
    for (int i = 0; i < 3; i++) (scene->flags & flag[i] ? glEnable : glDisable)(capability[i]);
}

/* Draws a shape of so many indices once. */
static void draw(int shape, int count, const GLuint *program) {
    static const int cycle[] = {2, 3, 5}; /* gouraud, bilinear, two textures with blending and fog */
    if (shape == LARGE) glDrawArrays(GL_TRIANGLES, 0, count);
    if (shape == SMALL) for (int i = 0; i < 2; i++) glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, 0);
    if (shape == MESH) for (int i = 0; i < 10; i++) glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, 0);
    for (int i = 0; shape == FRAME && i < PATCHES; i++) {
        set_state(&SCENES[cycle[i % 3]], program[cycle[i % 3]]);
        glDrawElementsBaseVertex(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, 0, 36 * i);
    }
}

/* Shape and scene of a request: the place in SHAPES, and in SCENES or MESHES; 0 if there is none such. */
static int find(char *line, int *shape, int *scene) {
    char *name = strtok(line, "|"), *kind = strtok(0, "\n");
    for (*shape = 0; *shape < SHAPES && strcmp(kind, SHAPE[*shape]);) ++*shape;
    int meshes = *shape == MESH, room = meshes ? 2 : COUNT;
    for (*scene = 0; *scene < room && strcmp(name, meshes ? MESHES[*scene] : SCENES[*scene].name);) ++*scene;
    return *shape < SHAPES && *scene < room;
}

int main(int argc, char **argv) {
    GLuint vertices[SHAPES], elements[SHAPES], program[COUNT], mesh_program, frame[2];
    int count[SHAPES] = {LAYERS * 6}, shape, number;
    char line[100];
    if (argc != 2 || !open_context()) return 1;
    frame[0] = make_target(0), frame[1] = make_target(4);
    make_textures();
    glGenBuffers(SHAPES, vertices);
    glGenBuffers(SHAPES, elements);
    for (int i = 0; i < SHAPES; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, vertices[i]);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements[i]);
        if (i == LARGE) make_large();
        else count[i] = i == SMALL ? make_small() : i == FRAME ? make_patches(argv[1]) : make_mesh();
    }
    for (int i = 0; i < COUNT; i++) program[i] = make_program(VERTEX_SHADER, SCENES[i].fragment);
    mesh_program = make_program(MESH_SHADER, GOURAUD);
    static const float constants[8][4] = {{1.3, 0, 0, 0}, {0, 1.7, 0, 0}, {0, 0, 1.1, -1}, {0, 0, 1, 0}, {0, 0, -1, 0}, {0},
                                          {1, 1, 1, 1}, {.1, .1, .1, 1}};
    glUniform4fv(glGetUniformLocation(mesh_program, "k"), 8, constants[0]);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glAlphaFunc(GL_GREATER, 64 / 255.f);
    glStencilFunc(GL_GEQUAL, 8, 0xff);
    glStencilOp(GL_KEEP, GL_INCR, GL_INCR);
    glCullFace(GL_FRONT_AND_BACK);
    while (fgets(line, sizeof line, stdin)) {
        if (!find(line, &shape, &number)) return 3;
        const Scene *scene = &SCENES[shape == MESH ? 2 : number];
        glBindFramebuffer(GL_FRAMEBUFFER, frame[(scene->flags & SAMPLES) != 0]);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, textures[(scene->flags & MIPS) != 0]);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements[shape]);
        use_vertices(vertices[shape]);
        glColorMask(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        set_state(scene, shape == MESH ? mesh_program : program[number]);
        if (shape == MESH && number == 0) use_fixed_function();
        (shape == MESH ? glEnable : glDisable)(GL_CULL_FACE);
        glFinish();
        double cpu = cpu_seconds(), wall = seconds();
        draw(shape, count[shape], program);
        glFinish();
        printf("%.9f %.9f\n", cpu_seconds() - cpu, seconds() - wall);
        fflush(stdout);
    }
    return 0;
}
